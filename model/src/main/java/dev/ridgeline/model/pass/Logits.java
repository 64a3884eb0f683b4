package dev.ridgeline.model.pass;

import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Tensor;

/** The last step of a decoder: how much each token of the vocabulary suits behind a row. */
public final class Logits implements AutoCloseable {
  private static final Scope LOGITS = Scope.of("logits");

  private final Ops ops;
  private final Tensor matrix;
  private final int tokens;
  private final Workspace workspace;
  private final Tensor last;

  /** Of every row of a batch; many numbers, and few ask for them. */
  private Tensor all;

  /**
   * @param matrix a row per token of the vocabulary
   * @param tokens rows of a batch at most
   * @param sequences of a batch at most
   */
  public Logits(Device device, Tensor matrix, int tokens, int sequences) {
    this.ops = new Ops(device);
    this.matrix = matrix;
    this.tokens = tokens;
    this.workspace = new Workspace(device);
    this.last = workspace.numbers(sequences, matrix.rows());
  }

  /** For one row per sequence. */
  public Tensor ofLast(Tensor x) {
    return product(last, x);
  }

  /** For as many rows as a batch may have. */
  public Tensor ofAll(Tensor x) {
    if (all == null) all = workspace.numbers(tokens, matrix.rows());
    return product(all, x);
  }

  private Tensor product(Tensor out, Tensor x) {
    try (var _ = Profiler.scope(LOGITS)) {
      ops.matmul(out, x, matrix, null);
    }
    return out;
  }

  @Override
  public void close() {
    workspace.close();
  }
}
