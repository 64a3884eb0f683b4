/**
 * GGUF files of models that are planned before they are written: keys, vocabulary, and tensors
 * whose numbers come when they are asked for. Importers, made-up models and training write through
 * it.
 */
package dev.ridgeline.model.draft;
