package dev.ridgeline.bench.peers;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * MiniLM in ONNX Runtime. It takes tokens, padded to the longest of a batch: our tokenizer, sorting
 * by length and the mean over a text's tokens are around it.
 */
final class OnnxEmbedding implements Engine.Embedding {
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;
  private final String name;
  private final Setup setup;
  private final Tokenizer tokenizer;
  private final List<String> texts;
  private final Crew crew;
  private final Tokens[] rooms;
  private final int[][] ids;
  private final float[][] vectors;

  /** Tokens of the only text, where tokenizing is not of interest. */
  private final boolean tokenized;

  /**
   * How it is called.
   *
   * @param threads inside of it for each call
   * @param callers that call it at once
   * @param batch texts of a call
   */
  record Setup(int threads, int callers, int batch) {
    /** Ways to keep the cores busy. */
    static final List<Setup> MANY_TEXTS =
        List.of(
            new Setup(THREADS, 1, 1),
            new Setup(THREADS, 1, 8),
            new Setup(THREADS, 1, 32),
            new Setup(1, THREADS, 1),
            new Setup(1, THREADS, 8),
            new Setup(1, THREADS, 32));

    static final List<Setup> ONE_TEXT = List.of(new Setup(THREADS, 1, 1), new Setup(1, 1, 1));

    @Override
    public String toString() {
      return "%d × %d threads, %s"
          .formatted(
              callers,
              threads,
              batch == 1 ? "one text a call" : "batches of %d by length".formatted(batch));
    }
  }

  /**
   * @param int8 the quantized weights
   * @param tokenized whether tokenizing is left out
   */
  OnnxEmbedding(
      boolean int8, Setup setup, Tokenizer tokenizer, List<String> texts, boolean tokenized) {
    this.name = "ONNX Runtime " + (int8 ? "int8" : "f32");
    this.setup = setup;
    this.tokenizer = tokenizer;
    this.texts = texts;
    this.tokenized = tokenized;
    this.crew = new Crew(setup.callers);
    this.rooms = new Tokens[setup.callers];
    Arrays.setAll(rooms, _ -> new Tokens());
    this.ids = new int[texts.size()][];
    this.vectors = new float[texts.size()][];
    try (var options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(setup.threads);
      options.setInterOpNumThreads(1);
      session = environment.createSession(weights(int8), options);
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
    if (tokenized) tokenize();
  }

  /** Out of the jar that carries them. */
  private static byte[] weights(boolean int8) {
    String file = "/all-minilm-l6-v2%s.onnx".formatted(int8 ? "-q" : "");
    try (InputStream in = OnnxEmbedding.class.getResourceAsStream(file)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(file, e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String setup() {
    return setup.toString();
  }

  @Override
  public Timing run() {
    long begin = System.nanoTime();
    if (!tokenized) tokenize();
    if (texts.size() == 1) {
      embed(new int[] {0}); // nobody to hand it to
    } else {
      List<int[]> batches = batches();
      crew.each(batches.size(), (_, i) -> embed(batches.get(i)));
    }
    return new Timing(texts.size(), System.nanoTime() - begin);
  }

  private void tokenize() {
    crew.each(
        texts.size(),
        (member, i) -> {
          rooms[member].clear();
          tokenizer.encode(texts.get(i), rooms[member]);
          ids[i] = rooms[member].ids();
        });
  }

  /** Texts of like lengths together, the longest first. */
  private List<int[]> batches() {
    int[] order =
        IntStream.range(0, ids.length)
            .boxed()
            .sorted(Comparator.comparingInt((Integer i) -> ids[i].length).reversed())
            .mapToInt(Integer::intValue)
            .toArray();
    List<int[]> batches = new ArrayList<>();
    for (int at = 0; at < order.length; at += setup.batch) {
      batches.add(Arrays.copyOfRange(order, at, Math.min(order.length, at + setup.batch)));
    }
    return batches;
  }

  private void embed(int[] batch) {
    int longest = Arrays.stream(batch).map(i -> ids[i].length).max().orElseThrow();
    LongBuffer words = numbers(batch.length * longest);
    LongBuffer mask = numbers(batch.length * longest);
    for (int row = 0; row < batch.length; row++) {
      int[] text = ids[batch[row]];
      for (int i = 0; i < text.length; i++) {
        words.put(row * longest + i, text[i]);
        mask.put(row * longest + i, 1);
      }
    }
    long[] shape = {batch.length, longest};
    Map<String, OnnxTensor> inputs = new HashMap<>();
    try {
      inputs.put("input_ids", OnnxTensor.createTensor(environment, words, shape));
      inputs.put("attention_mask", OnnxTensor.createTensor(environment, mask, shape));
      inputs.put(
          "token_type_ids",
          OnnxTensor.createTensor(environment, numbers(batch.length * longest), shape));
      try (OrtSession.Result result = session.run(inputs)) {
        FloatBuffer rows = ((OnnxTensor) result.get(0)).getFloatBuffer();
        int width = rows.capacity() / batch.length / longest;
        for (int row = 0; row < batch.length; row++) {
          vectors[batch[row]] = mean(rows, row * longest, ids[batch[row]].length, width);
        }
      }
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private static LongBuffer numbers(int count) {
    return ByteBuffer.allocateDirect(8 * count).order(ByteOrder.nativeOrder()).asLongBuffer();
  }

  /** Of length 1. */
  private static float[] mean(FloatBuffer rows, int from, int count, int width) {
    float[] sum = new float[width];
    float[] row = new float[width];
    for (int i = 0; i < count; i++) {
      rows.get((from + i) * width, row);
      for (int j = 0; j < width; j++) sum[j] += row[j];
    }
    double square = 0;
    for (float each : sum) square += (double) each * each;
    float scale = (float) (1 / Math.sqrt(square));
    for (int j = 0; j < width; j++) sum[j] *= scale;
    return sum;
  }

  @Override
  public List<float[]> vectors() {
    run();
    return List.of(vectors.clone());
  }

  @Override
  public void close() {
    crew.close();
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }
}
