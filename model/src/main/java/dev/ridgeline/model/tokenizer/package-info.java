/**
 * Texts into token ids and back, as the vocabulary of a model's file says.
 *
 * <p>{@link dev.ridgeline.model.tokenizer.Tokenizers} makes a tokenizer out of a GGUF file's
 * metadata, {@link dev.ridgeline.model.tokenizer.TokenizerJson} reads the file that Hugging Face
 * models come with. Nothing here knows what a model does with ids.
 */
package dev.ridgeline.model.tokenizer;
