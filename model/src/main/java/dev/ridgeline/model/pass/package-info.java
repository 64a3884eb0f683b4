/**
 * What a model is to those who run it, {@link dev.ridgeline.model.pass.Encoder} and {@link
 * dev.ridgeline.model.pass.Decoder}, and what passes of all architectures are made of. Nothing here
 * knows an architecture: those live in packages of their own.
 */
package dev.ridgeline.model.pass;
