/**
 * All that a training needs to go on to the bit: named tensors and a {@link
 * dev.ridgeline.train.checkpoint.TrainState}, in one file that is there whole or not at all. {@link
 * dev.ridgeline.train.checkpoint.Checkpoints} is the folder that keeps the last few, {@link
 * dev.ridgeline.train.checkpoint.Checkpoint} one of them. Which tensors there are is the trainer's
 * business; they come and go a few rows at a time, so that no model is in memory twice.
 */
package dev.ridgeline.train.checkpoint;
