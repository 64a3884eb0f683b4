/**
 * The waist between models and machines: {@code Tensor}, {@code Device} and {@code Ops}. Models
 * call {@code Ops} and never look into a tensor; kernels know nothing of models.
 */
package dev.ridgeline.tensor;
