/**
 * Models of the Llama kind: Llama, Qwen, Gemma 3 and EmbeddingGemma, which differ in what their
 * {@link dev.ridgeline.model.shape.DecoderFamily} says. They write, and where a file says how to
 * pool they embed.
 */
package dev.ridgeline.model.transformer;
