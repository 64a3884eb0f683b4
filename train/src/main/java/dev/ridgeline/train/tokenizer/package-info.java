/**
 * Tokenizers that are made for a training: bytes, byte-level BPE learned from its texts by {@link
 * dev.ridgeline.train.tokenizer.BytePairTrainer}, or that of another model's file. Each is a {@link
 * dev.ridgeline.train.tokenizer.Codebook}: the tokenizer, and what a GGUF file has to say for
 * others to read texts the same way.
 */
package dev.ridgeline.train.tokenizer;
