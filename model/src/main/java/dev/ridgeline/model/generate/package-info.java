/**
 * Text that goes on where a prompt ends: {@link dev.ridgeline.model.generate.Generator} is the
 * front door, {@link dev.ridgeline.model.generate.Chat} a conversation with it.
 *
 * <p>Many sequences go through the model together, each in a {@code Strand} with its sampler, its
 * text and its pages of the cache. Nothing here knows an architecture or a kernel.
 */
package dev.ridgeline.model.generate;
