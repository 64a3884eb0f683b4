/** Texts into token ids and back, as the vocabulary of a model's file says. */
package dev.ridgeline.model.tokenizer;
