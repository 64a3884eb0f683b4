/**
 * Texts into batches: {@link dev.ridgeline.train.data.Documents} reads files, {@link
 * dev.ridgeline.train.data.Corpus} has their ids, {@link dev.ridgeline.train.data.Batches} deals
 * the training part in an order that seed and epoch decide, {@link
 * dev.ridgeline.train.data.Evaluation} the part that is never trained on. Nothing here knows what a
 * model does with ids.
 */
package dev.ridgeline.train.data;
