/**
 * Models on this machine: {@code models} lists those that can be had by name, {@code pull} brings
 * one, {@code cache} shows and clears what is kept. {@link dev.ridgeline.cli.models.ModelOptions}
 * is how every command that takes a model finds its file.
 */
package dev.ridgeline.cli.models;
