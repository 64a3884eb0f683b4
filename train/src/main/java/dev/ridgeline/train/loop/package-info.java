/**
 * The training loop: {@link dev.ridgeline.train.loop.Training} runs a configuration from start to
 * finish, {@link dev.ridgeline.train.loop.Steps} takes one step after the other.
 */
package dev.ridgeline.train.loop;
