/**
 * Texts into token ids and back, as the vocabulary of a model's file says.
 *
 * <p>{@link dev.ridgeline.model.tokenizer.Tokenizers} makes a tokenizer out of a GGUF file's
 * metadata, {@link dev.ridgeline.model.tokenizer.TextStream} turns ids into text as they come. The
 * files of others are read in {@code imports}. Nothing here knows what a model does with ids.
 */
package dev.ridgeline.model.tokenizer;
