package dev.ridgeline.bench.peers;

import dev.ridgeline.oracle.LlamaDecoder;
import dev.ridgeline.oracle.LlamaModel;
import dev.ridgeline.oracle.LlamaOptions;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A decoder of llama.cpp, called in this process. It is given the tokens that ours has made, and
 * need not choose: that is how its own benchmark works.
 */
final class LlamaDecoding implements Engine {
  private static final int BATCH = 512;

  private final Passage passage;
  private final boolean flash;
  private final LlamaModel model;
  private final LlamaDecoder decoder;

  /**
   * Tokens to read.
   *
   * @param prefill whether reading the prompt is timed, and not what follows
   */
  record Passage(int[] prompt, int[] continuation, boolean prefill) {}

  LlamaDecoding(Path file, boolean flash, Passage passage) {
    this.flash = flash;
    this.passage = passage;
    this.model = LlamaModel.load(file);
    int context = passage.prompt.length + passage.continuation.length;
    this.decoder = new LlamaDecoder(model, LlamaOptions.fast(context, BATCH, THREADS, flash));
  }

  @Override
  public String name() {
    return "llama.cpp";
  }

  @Override
  public String setup() {
    return "%d threads, batches of %d, flash attention %s"
        .formatted(THREADS, BATCH, flash ? "on" : "off");
  }

  @Override
  public Timing run() {
    decoder.clear();
    long begin = System.nanoTime();
    decoder.read(passage.prompt);
    if (passage.prefill) return new Timing(passage.prompt.length, System.nanoTime() - begin);
    begin = System.nanoTime();
    int count = passage.continuation.length - 1;
    for (int i = 0; i < count; i++) decoder.read(passage.continuation[i]);
    return new Timing(count, System.nanoTime() - begin);
  }

  /**
   * What it expects behind the prompt and each token of the continuation but the last: a row of
   * numbers for each token of the continuation.
   */
  float[][] logits() {
    decoder.clear();
    int[] prompt = passage.prompt;
    int before = prompt.length - 1;
    if (before > 0) decoder.read(Arrays.copyOf(prompt, before));
    int[] rest = new int[passage.continuation.length];
    rest[0] = prompt[before];
    System.arraycopy(passage.continuation, 0, rest, 1, rest.length - 1);
    return decoder.decode(rest);
  }

  @Override
  public void close() {
    decoder.close();
    model.close();
  }
}
