/**
 * Models that learn, under the same profiler as those that run.
 *
 * <p>{@code config} says what is trained, {@code tokenizer} and {@code data} make batches of texts,
 * {@code checkpoint} and {@code log} keep what was reached. What every part needs is here: the rate
 * of a step, random numbers whose state can be kept, and the one-line exception.
 */
package dev.ridgeline.train;
