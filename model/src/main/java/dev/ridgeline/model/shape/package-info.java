/**
 * Kinds of models and the sizes of one: read out of a GGUF file by what runs it, and written into
 * one by what makes it; and {@link dev.ridgeline.model.shape.ModelException}, which says what is
 * wrong with one. No weights live here.
 */
package dev.ridgeline.model.shape;
