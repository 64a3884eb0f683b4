/**
 * What every part of training needs: the learning rate of a step, random numbers whose state can be
 * saved, and the one-line exception.
 *
 * <p>{@code config} says what to train, {@code tokenizer} and {@code data} turn texts into batches,
 * {@code net} has the models, {@code loop} trains them, {@code checkpoint} and {@code log} record
 * the progress. Nothing here depends on those packages.
 */
package dev.ridgeline.train;
