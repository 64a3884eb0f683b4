package dev.ridgeline.tensor.grad;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Tensor;
import java.lang.foreign.MemorySegment;

/**
 * What a device must be able to do to train. {@link Grad} alone calls it, and has checked every
 * shape before it does.
 *
 * <p>Results are the same bits for any number of workers.
 */
public interface GradDevice {
  /** What a device trains with; an {@link IllegalArgumentException} says that it cannot. */
  static GradDevice of(Device device) {
    if (device instanceof TrainingDevice able) return able.training();
    throw new IllegalArgumentException(device.name() + " cannot train");
  }

  /**
   * Some of a tensor's numbers as a tensor of its own, which gives back nothing: all weights lie
   * one after the other, and so do their gradients.
   *
   * @param layout {@link Layout#ROWS} or {@link Layout#VECTOR}
   * @param from the first number
   */
  Tensor view(Tensor of, Layout layout, long from, int rows, int columns);

  /** Copies numbers of a tensor, from one of them on, into memory of the caller's. */
  void read(Tensor from, long first, MemorySegment to);

  /** The same, the other way. */
  void write(MemorySegment from, Tensor to, long first);

  /** Room for numbers that every step uses, all of them: in large pages, where there are such. */
  Tensor numbers(String owner, int rows, int columns);

  /** Room for a matrix of f32 that is packed again and again. */
  Tensor matrix(String owner, int outputs, int inputs);

  /** Packs rows, one per output. */
  void pack(Tensor matrix, Tensor rows);

  /** Packs rows, one per input. */
  void packTransposed(Tensor matrix, Tensor rows);

  void matmul(Tensor dMatrix, Tensor dBiasOrNull, Tensor dy, Tensor x);

  /**
   * Room that the gradient of attention needs besides its results.
   *
   * @param longest tokens of the longest text there can be
   */
  Tensor attentionWorkspace(String owner, int longest);

  /**
   * The gradient of a norm.
   *
   * @param dBiasOrNull null for a root mean square
   */
  void norm(
      Tensor dx,
      Tensor dWeight,
      Tensor dBiasOrNull,
      Tensor dy,
      Tensor x,
      Tensor weight,
      NormBackward how);

  /**
   * The gradient of an activation.
   *
   * @param dUpOrNull null where up is
   * @param upOrNull what the activation was multiplied by
   */
  void apply(
      Activation activation, Tensor dx, Tensor dUpOrNull, Tensor dy, Tensor x, Tensor upOrNull);

  void rope(Tensor dx, int heads, Tensor positions, Tensor angles, Pairing pairing);

  void rows(Tensor dTable, Tensor dy, Tensor ids);

  void attention(Tensor dq, Tensor dk, Tensor dv, Tensor dOut, Attended of, AttentionBackward how);

  void crossEntropy(Tensor losses, Tensor logits, Tensor targets, float factor);

  double sumOfSquares(Tensor x);

  double sum(Tensor x);

  void adamW(Tensor weight, Tensor gradient, Tensor m, Tensor v, AdamStep step);

  void add(Tensor sum, Tensor[] more);

  void zero(Tensor x);

  void round(Tensor halves, Tensor x);

  void widen(Tensor x, Tensor halves);
}
