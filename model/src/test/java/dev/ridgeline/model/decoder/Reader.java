package dev.ridgeline.model.decoder;

import dev.ridgeline.model.Architecture;
import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.nio.file.Path;
import java.util.Arrays;

/** A decoder that reads some texts at once and tells its logits, without a generator. */
final class Reader implements AutoCloseable {
  private final Gguf file;
  private final Device device;
  final Decoder decoder;
  final KvCache cache;
  private final Decoder.Pass pass;
  private final Tensor ids;
  private final Sequences texts;
  private final int[][] pages;
  private final int[] past;
  private final int[] packed;

  /**
   * @param longest tokens of a text
   * @param sequences texts that it knows at once
   */
  Reader(Path model, TensorType cacheType, int longest, int sequences) {
    this(model, cacheType, longest, sequences, 2);
  }

  Reader(Path model, TensorType cacheType, int longest, int sequences, int workers) {
    file = Gguf.open(model);
    device = Device.cpu(workers);
    decoder = Architecture.decoder(file, device);
    int each = Math.ceilDiv(longest, KvCache.PAGE);
    cache = (KvCache) decoder.memory(device, cacheType, sequences, longest);
    int most = longest * sequences;
    pass = decoder.plan(device, most, sequences, cache);
    ids = device.allocate("ids", TensorType.I32, most, 1);
    texts = new Sequences(device, "ids", sequences, most);
    packed = new int[most];
    past = new int[sequences];
    pages = new int[sequences][each];
    // One page of each in turn: no sequence has neighbours.
    for (int i = 0; i < each; i++) for (int[] table : pages) table[i] = cache.take();
  }

  /** Puts the next tokens of a text into the batch. */
  Reader add(int sequence, int... tokens) {
    System.arraycopy(tokens, 0, packed, texts.rows(), tokens.length);
    texts.add(tokens.length, past[sequence], pages[sequence]);
    past[sequence] += tokens.length;
    return this;
  }

  /** Logits behind the last token of each text in the batch. */
  float[][] last() {
    return rows(pass.run(written(), texts), texts.count());
  }

  /** Logits behind every token in the batch. */
  float[][] all() {
    return rows(pass.runAll(written(), texts), texts.rows());
  }

  /** One token of each sequence, and nothing read back. */
  void step(int token) {
    for (int i = 0; i < past.length; i++) {
      packed[texts.rows()] = token;
      texts.add(1, past[i]++, pages[i]);
    }
    pass.run(written(), texts);
    texts.clear();
  }

  /** One sequence now has behind it what another has: the same full pages, a copy of the last. */
  void branch(int from, int to) {
    int full = past[from] / KvCache.PAGE;
    for (int i = 0; i < full; i++) {
      cache.release(pages[to][i]);
      cache.share(pages[from][i]);
      pages[to][i] = pages[from][i];
    }
    if (past[from] % KvCache.PAGE != 0) {
      cache.copy(new Ops(device), pages[from][full], pages[to][full]);
    }
    past[to] = past[from];
  }

  void forget() {
    Arrays.fill(past, 0);
  }

  private Tensor written() {
    device.write(ids.rows(texts.rows()), packed, 0);
    return ids;
  }

  private float[][] rows(Tensor logits, int count) {
    float[][] rows = new float[count][decoder.shape().vocabulary()];
    for (int i = 0; i < count; i++) device.read(logits, i, rows[i], 0);
    texts.clear();
    return rows;
  }

  @Override
  public void close() {
    pass.close();
    ids.close();
    texts.close();
    cache.close();
    decoder.close();
    device.close();
    file.close();
  }
}
