/**
 * Numbers into blocks and back, for every type, and whole files of another type. Exact and obvious,
 * not fast paths of kernels.
 *
 * <p>A new type of numbers touches {@code TensorType} (its block), {@code Block} and {@code
 * FileType} here, {@code Decoding} and {@code Packing} of the vector kernels, and {@code PanelForm}
 * and {@code LevelPacker} of the assembled ones.
 */
package dev.ridgeline.tensor.quant;
