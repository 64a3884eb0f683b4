package dev.ridgeline.model;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.Ablation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import java.util.Arrays;

/**
 * What one batch at a time goes through: its token ids, where its texts begin, and the pass. One
 * thread at a time.
 */
final class Lane implements AutoCloseable {
  private static final String OWNER = "workspace";
  private static final boolean REUSES = Ablation.BUFFER_REUSE.on();

  /** Scratch of whoever tokenizes for this lane. */
  final Tokens tokens = new Tokens();

  final StringBuilder text = new StringBuilder();

  /** Which of many workers uses this lane now: only that thread itself can rely on it. */
  Thread user;

  private final Encoder encoder;
  private final Device device;
  private final Ops ops;
  private final int[] packed;
  private final Tensor ids;
  private final Sequences texts;
  private final Encoder.Pass pass;
  private final Tensor result;
  private final int capacity;
  private final int usual;

  /**
   * @param tokens of all texts of a batch together
   * @param usual the same where there is more than one text
   * @param dimensions of the results
   */
  Lane(Encoder encoder, Device device, int tokens, int usual, int texts, int dimensions) {
    this.encoder = encoder;
    this.device = device;
    this.capacity = texts;
    this.usual = usual;
    this.ops = new Ops(device);
    this.packed = new int[tokens];
    this.ids = device.allocate(OWNER, TensorType.I32, tokens, 1);
    this.texts = new Sequences(device, OWNER, texts, tokens);
    this.pass = encoder.plan(device, tokens, texts);
    this.result = device.allocate(OWNER, TensorType.F32, texts, dimensions);
  }

  void clear() {
    texts.clear();
  }

  boolean fits(int count) {
    if (texts.count() == 0) return count <= packed.length;
    return texts.count() < capacity && count <= usual - texts.rows();
  }

  int count() {
    return texts.count();
  }

  /** Puts the first tokens behind those of the other texts. */
  void add(Tokens from, int count) {
    from.copy(0, count, packed, texts.rows());
    texts.add(count);
  }

  /** Runs the batch and writes a vector per text, one behind the other. */
  void run(float[] to, int offset) {
    device.write(ids.rows(texts.rows()), packed, 0);
    if (REUSES) {
      run(pass, to, offset);
    } else {
      try (Encoder.Pass fresh = encoder.plan(device, texts.rows(), texts.count())) {
        run(fresh, to, offset);
      }
    }
  }

  private void run(Encoder.Pass through, float[] to, int offset) {
    Tensor vectors = through.run(ids, texts);
    int dimensions = result.columns();
    ops.normalize(result, dimensions == vectors.columns() ? vectors : cut(vectors));
    device.read(result, 0, texts.count(), to, offset);
  }

  private int[] tooLong = new int[4];
  private int tooLongCount;

  /** Remembers a text that there is no room for, by its index. */
  void leave(int text) {
    if (tooLongCount == tooLong.length) tooLong = Arrays.copyOf(tooLong, 2 * tooLongCount);
    tooLong[tooLongCount++] = text;
  }

  /** One of those that were left; -1 when there are no more. */
  int left() {
    return tooLongCount == 0 ? -1 : tooLong[--tooLongCount];
  }

  void forgetLeft() {
    tooLongCount = 0;
  }

  private Tensor cutFrom;
  private Tensor cut;

  /** The first columns; made once, since a pass always answers the same tensor. */
  private Tensor cut(Tensor vectors) {
    if (cutFrom != vectors) {
      cutFrom = vectors;
      cut = vectors.columns(0, result.columns());
    }
    return cut;
  }

  @Override
  public void close() {
    ids.close();
    texts.close();
    pass.close();
    result.close();
  }
}
