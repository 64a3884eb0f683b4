package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.kernels.Pointwise.Operation;
import java.util.ArrayList;
import java.util.List;

/** Puts a list of kernels together, family by family. */
final class Catalogue {
  /** The width of a row to normalise: that of BERT-base. */
  private static final int WIDTH = 768;

  private final long seed;
  private final int threads;
  private final boolean fine;
  private final List<Kernel> kernels = new ArrayList<>();

  /**
   * @param fine whether kernels have scopes inside
   */
  Catalogue(long seed, int threads, boolean fine) {
    this.seed = seed;
    this.threads = threads;
    this.fine = fine;
  }

  List<Kernel> kernels() {
    return List.copyOf(kernels);
  }

  Catalogue matmul(int... sizes) {
    for (int n : sizes) kernels.add(MatMul.square(n, seed, fine));
    return this;
  }

  Catalogue parallelMatmul(int size) {
    kernels.add(new ParallelMatMul(size, threads, seed));
    return this;
  }

  Catalogue softmax(int... rows) {
    for (int n : rows) kernels.add(new Softmax(n, Softmax.COLUMNS, seed, fine));
    return this;
  }

  Catalogue gelu(int... elements) {
    for (int n : elements) kernels.add(new Gelu(n, seed));
    return this;
  }

  Catalogue layerNorm(int... rows) {
    for (int n : rows) kernels.add(new LayerNorm(n, WIDTH, seed, fine));
    return this;
  }

  Catalogue rmsNorm(int... rows) {
    for (int n : rows) kernels.add(new RmsNorm(n, WIDTH, seed));
    return this;
  }

  Catalogue pointwise(int... elements) {
    for (int n : elements) kernels.add(Pointwise.of(Operation.ADD, n, seed));
    for (int n : elements) kernels.add(Pointwise.of(Operation.MULTIPLY, n, seed));
    return this;
  }

  Catalogue broadcast(int... rows) {
    for (int n : rows) kernels.add(Pointwise.broadcastAdd(n, 1024, seed));
    return this;
  }
}
