/**
 * All that a training needs to resume to the bit: named tensors and a {@link
 * dev.ridgeline.train.checkpoint.TrainState}, in one file that is either complete or absent. {@link
 * dev.ridgeline.train.checkpoint.Checkpoints} is the folder that keeps the last few, {@link
 * dev.ridgeline.train.checkpoint.Checkpoint} one of them. The trainer decides which tensors there
 * are; a few rows are copied at a time, so that no model is in memory twice.
 */
package dev.ridgeline.train.checkpoint;
