package dev.ridgeline.tensor;

import dev.ridgeline.profiler.Arithmetic;
import java.util.Map;

/**
 * Memory for tensors and what computes on them.
 *
 * <p>Models allocate, write and read here, and compute through {@link Ops}, which alone calls the
 * operations: it has checked every shape before it does.
 *
 * <p>Threads: any number may use a device at once, each with tensors of its own; weights are
 * shared.
 */
public interface Device extends AutoCloseable {
  /** Tokens in a page of a cache. */
  int PAGE = 32;

  /** What it was chosen by; its workers are counted. */
  DeviceChoice choice();

  /** As users choose it: {@code cpu}. */
  default String name() {
    return choice().name();
  }

  /** What computes and how wide: {@code 2 workers · vector, 16 lanes of f32 (AVX-512)}. */
  String description();

  /**
   * What an effective plan says of it: kernels and tiles, machine code by name and digest, how
   * weights lie.
   */
  Map<String, String> plan();

  // How it wants its work.

  /**
   * Batches that it works on at once, each through a {@link #serial} device of its own: the cores
   * of a processor; 1 where a single batch fills all of it.
   */
  int batches();

  /** Tokens that should go through a model together: enough to fill it. */
  int tokens();

  // Memory.

  /** Bytes that it could hold if nobody else wanted any. */
  long memory();

  /** Room for activations, all zero; f32 or i32. */
  Tensor allocate(String owner, TensorType type, int rows, int columns);

  /**
   * Room that attention needs besides its results.
   *
   * @param longest tokens of the longest text there can be, those in the cache included
   */
  Tensor attentionWorkspace(String owner, int longest);

  /**
   * Pages for the keys or the values of tokens, all zero: a row per page.
   *
   * @param layout {@link Layout#KEYS} or {@link Layout#VALUES}
   * @param type f32 or f16
   * @param width numbers of a head
   */
  Tensor cache(String owner, Layout layout, TensorType type, int pages, int heads, int width);

  /**
   * Weights of a file. A matrix (where the device {@link #repacks}) and a vector are copied, so the
   * file's pages can be released; rows stay where they are, so the file must stay open.
   */
  default Tensor weights(StoredTensor tensor, Layout layout) {
    return weights(tensor, layout, Precision.USUAL);
  }

  /** The same for products of a precision. */
  Tensor weights(StoredTensor tensor, Layout layout, Precision precision);

  /** Fills the rows in use. */
  void write(Tensor to, int[] from, int offset);

  /** Fills the rows in use. */
  void write(Tensor to, float[] from, int offset);

  /**
   * Reads consecutive rows once everything submitted earlier has completed.
   *
   * @param row the first of them
   */
  void read(Tensor from, int row, int rows, float[] to, int offset);

  /** Reads one row. */
  default void read(Tensor from, int row, float[] to, int offset) {
    read(from, row, 1, to, offset);
  }

  /** Whether it only finds out how much memory a model will take: what is written is lost. */
  boolean plans();

  /** Whether matrices are copied into a layout of its own; else they stay in their file. */
  default boolean repacks() {
    return choice().repack();
  }

  /** Whether its operations can work on this tensor. */
  boolean reaches(Tensor tensor);

  /** The same memory, with operations on the calling thread alone. */
  Device serial();

  @Override
  void close();

  // Operations, for Ops alone.

  void rows(Tensor out, Tensor table, Tensor ids);

  /** The arithmetic of products of so many rows with matrices of a type. */
  default Arithmetic form(TensorType type, int rows) {
    return Arithmetic.F32;
  }

  void matmul(Tensor out, Tensor x, Tensor matrix, Tensor biasOrNull);

  void matmul(Tensor x, Projection[] all);

  void add(Tensor out, Tensor a, Tensor b);

  void multiply(Tensor out, Tensor a, Tensor b);

  void scale(Tensor out, Tensor a, float factor);

  /**
   * A norm of rows.
   *
   * @param yOrNull what is added to x first
   * @param biasOrNull null for a root mean square
   */
  void norm(Tensor out, Tensor x, Tensor yOrNull, Tensor weight, Tensor biasOrNull, float epsilon);

  void rmsNormHeads(Tensor x, int heads, Tensor weight, float epsilon);

  /**
   * An activation of x.
   *
   * @param upOrNull what it is multiplied by
   */
  void apply(Activation activation, Tensor out, Tensor x, Tensor upOrNull);

  void softmax(Tensor out, Tensor x);

  void rope(Tensor x, int heads, Tensor positions, Tensor angles, Pairing pairing);

  void attention(
      Tensor out, Tensor q, Tensor k, Tensor v, Sequences texts, Heads heads, Tensor workspace);

  void store(Tensor keys, Tensor values, Tensor k, Tensor v, Sequences texts, int keyHeads);

  void copyPage(Tensor cache, int from, int to);

  void cachedAttention(
      Tensor out,
      Tensor q,
      Tensor keys,
      Tensor values,
      Sequences texts,
      Heads heads,
      Tensor workspace);

  void pool(Pooled pooled, Tensor out, Tensor x, Sequences texts);

  void normalize(Tensor out, Tensor x);

  // Finding one.

  /** The processor, with a worker for each of its cores. */
  static Device cpu() {
    return DeviceChoice.DEFAULT.open();
  }

  /** The processor, with so many workers. */
  static Device cpu(int workers) {
    return DeviceChoice.DEFAULT.withWorkers(workers).open();
  }
}
