/**
 * What training needs besides inference: the gradient of each operation of {@link
 * dev.ridgeline.tensor.Ops}, the loss and the optimizer's step. Models call {@code Grad}; a device
 * that can train answers with a {@code GradDevice}.
 *
 * <p>Every sum over rows has one order, that of the rows, whatever the workers: two trainings from
 * the same numbers agree in every bit.
 */
package dev.ridgeline.tensor.grad;
