/** GGUF files, read by mapping and written whole. Nothing here knows what a model is. */
package dev.ridgeline.tensor.gguf;
