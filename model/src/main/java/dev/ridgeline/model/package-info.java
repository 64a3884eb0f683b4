/**
 * Models as users know them. {@link dev.ridgeline.model.Embedder} is the front door; {@link
 * dev.ridgeline.model.Architecture} lists the architectures, which live in packages of their own,
 * read top to bottom like their papers and call {@code tensor.Ops}.
 */
package dev.ridgeline.model;
