/**
 * Texts into token ids and back, as the vocabulary of a model's file says.
 *
 * <p>{@link dev.ridgeline.model.tokenizer.Tokenizers} makes a tokenizer out of a GGUF file's
 * metadata, {@link dev.ridgeline.model.imports.TokenizerJson} and {@link
 * dev.ridgeline.model.imports.BpeJson} read the file that Hugging Face models come with, {@link
 * dev.ridgeline.model.tokenizer.TextStream} turns ids into text as they come. Nothing here knows
 * what a model does with ids.
 */
package dev.ridgeline.model.tokenizer;
