package dev.ridgeline.model;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Models;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.model.store.Use;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.tune.Tiling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Texts into vectors of length 1.
 *
 * <pre>{@code
 * try (Embedder embedder = Embedder.open("all-minilm-l6-v2")) {
 *   float[] vector = embedder.embed("Where does the time go?");
 * }
 * }</pre>
 *
 * <p>Threads: any number may call; one call at a time is worked on, by all workers, in the order
 * they came; closing waits its turn, too. The same text gets the same bits whatever the strategy,
 * the number of workers and the texts beside it.
 */
public final class Embedder implements AutoCloseable {
  /** Fair, so that closing does not wait for whoever comes later. */
  private final ReentrantLock lock = new ReentrantLock(true);

  private final EmbedderOptions options;
  private final String name;
  private final Opened<Encoder> opened;
  private final Device device;
  private final Encoder encoder;
  private final Prompts prompts;
  private final String prefix;
  private final int dimensions;
  private final Lane packed;

  private final TextReader reader;
  private final Passes passes;
  private final CoarseRunner coarse;
  private boolean closed;

  private Embedder(String name, EmbedderOptions options, Opened<Encoder> opened) {
    this.name = name;
    this.options = options;
    this.opened = opened;
    this.device = opened.device();
    this.encoder = opened.model();
    Gguf file = opened.file();
    this.prompts = Prompts.of(file.metadata(), encoder.prompts());
    this.prefix = prefix();
    this.dimensions = Lengths.of(file.metadata(), encoder).of(options.dimensions(), name);
    this.packed = packed(encoder, options, device, dimensions);
    this.reader = new TextReader(opened.tokenizer(), prefix, encoder.context(), options.truncate());
    this.passes = new Passes(reader, dimensions, file.path());
    this.coarse = new CoarseRunner(encoder, device, passes);
  }

  private static Lane packed(
      Encoder encoder, EmbedderOptions options, Device device, int dimensions) {
    int most = options.strategy() == Strategy.FINE ? 1 : options.batch();
    int tokens = Math.max(encoder.context(), most == 1 ? 0 : device.tokens());
    return new Lane(encoder, device, tokens, tokens, most, dimensions);
  }

  /** Opens a model by its name, which may be a path; one that is not here yet is fetched. */
  public static Embedder open(String model) {
    return open(model, EmbedderOptions.DEFAULT);
  }

  /** The same; a {@link dev.ridgeline.model.store.StoreException} says why it cannot be had. */
  public static Embedder open(String model, EmbedderOptions options) {
    ModelName name = ModelName.of(model);
    return open(model, Models.here().resolve(name, Use.EMBED, Progress.SILENT), options);
  }

  /** Opens a model's file. */
  public static Embedder open(Path model) {
    return open(model, EmbedderOptions.DEFAULT);
  }

  /**
   * Opens a model's file; what is wrong with it is one line of a {@link ModelException} or of
   * GGUF's.
   */
  public static Embedder open(Path model, EmbedderOptions options) {
    return open(model.toString(), model, options);
  }

  /**
   * The same for a model that its user knows by another name than that of its file.
   *
   * @param name what an error about the options calls it
   */
  public static Embedder open(String name, Path model, EmbedderOptions options) {
    return open(name, model, options, options.device()::open);
  }

  /**
   * What a model would take outside the heap, by owner, without reading its weights: what the
   * profiler's ledger has once it is open. {@link Strategy#COARSE} takes more with the first texts.
   */
  public static Map<String, Long> memory(Path model, EmbedderOptions options) {
    return memory(model, options, 0);
  }

  /** The same once so many texts were embedded together. */
  public static Map<String, Long> memory(Path model, EmbedderOptions options, int texts) {
    Map<String, Long> account = new TreeMap<>();
    try (Embedder it =
        open(model.toString(), model, options, () -> options.device().plan(account))) {
      boolean coarse = texts > 0 && it.chosen(texts, options.strategy()) == Strategy.COARSE;
      for (int i = 0; coarse && i < it.workers(); i++) {
        CoarseRunner.lane(it.encoder, it.device.serial(), it.dimensions).close();
      }
    }
    return account;
  }

  private static Embedder open(
      String name, Path model, EmbedderOptions options, Supplier<Device> devices) {
    var kind =
        new Opened.Kind<>(
            Architecture::encoder,
            (encoder, file, counting, device) -> {
              int dimensions = Lengths.of(file.metadata(), encoder).of(options.dimensions(), name);
              packed(encoder, options, counting, dimensions).close();
              for (int i = 0; i < device.batches() && options.strategy().mayBeCoarse(); i++) {
                CoarseRunner.lane(encoder, counting, dimensions).close();
              }
            },
            false);
    return Opened.open(
        model, options.device(), devices, kind, it -> new Embedder(name, options, it));
  }

  private String prefix() {
    if (options.prefix() != null) return options.prefix();
    if (options.task() == null) return "";
    try {
      return prompts.before(options.task());
    } catch (ModelException e) {
      throw new ModelException(name + ": " + e.getMessage(), e);
    }
  }

  // What it is.

  /** Numbers of a vector. */
  public int dimensions() {
    return dimensions;
  }

  /** Tokens of a text at most, the special ones included. */
  public int context() {
    return encoder.context();
  }

  /** What the model wants before texts, by task. */
  public Prompts prompts() {
    return prompts;
  }

  public EmbedderOptions options() {
    return options;
  }

  public Tokenizer tokenizer() {
    return opened.tokenizer();
  }

  /** What runs, as a run records it. */
  public Map<String, String> plan(int texts) {
    Map<String, String> plan = new LinkedHashMap<>();
    plan.put("model", encoder.shape().description());
    if (!prefix.isEmpty()) plan.put("prefix", "'" + prefix + "'");
    Strategy chosen = chosen(texts, options.strategy());
    plan.put("strategy", chosen.word());
    if (chosen == Strategy.PACKED) {
      plan.put("batch", Integer.toString(Math.min(options.batch(), texts)));
    }
    plan.put("workers", Integer.toString(workers()));
    plan.putAll(device.plan());
    return plan;
  }

  /** How many tokens a text has, the special ones included. */
  public int countTokens(CharSequence text) {
    enter();
    try {
      return reader.count(text, packed);
    } finally {
      lock.unlock();
    }
  }

  // Embedding.

  /** The vector of a text. */
  public float[] embed(CharSequence text) {
    float[] vector = new float[dimensions];
    embed(Collections.singletonList(text), vector);
    return vector;
  }

  /** The vectors of texts, in their order. */
  public List<float[]> embed(List<? extends CharSequence> texts) {
    float[] all = new float[Math.multiplyExact(texts.size(), dimensions)];
    embed(texts, all);
    List<float[]> vectors = new ArrayList<>(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      vectors.add(Arrays.copyOfRange(all, i * dimensions, (i + 1) * dimensions));
    }
    return vectors;
  }

  /**
   * Writes the vectors of texts one behind the other. Once warm, this allocates nothing.
   *
   * @param texts read by index
   * @throws TextException if one of them is empty, no Unicode, or too long
   */
  public void embed(List<? extends CharSequence> texts, float[] to) {
    embed(texts, to, options.strategy());
  }

  /** The same by another strategy than usual, to see which is faster; the vectors are the same. */
  public void embed(List<? extends CharSequence> texts, float[] to, Strategy strategy) {
    if (to.length / dimensions < texts.size()) {
      throw new IllegalArgumentException(
          "%d numbers are no room for %d texts of %d"
              .formatted(to.length, texts.size(), dimensions));
    }
    if (texts.isEmpty()) return;
    enter();
    try {
      switch (chosen(texts.size(), strategy)) {
        case FINE -> {
          for (int i = 0; i < texts.size(); i++) passes.one(packed, texts, i, to);
        }
        case COARSE -> coarse.run(texts, to, packed);
        case PACKED, AUTO -> passes.together(packed, texts, 0, texts.size(), to);
      }
    } finally {
      lock.unlock();
    }
  }

  private Strategy chosen(int texts, Strategy strategy) {
    return strategy.chosen(texts, workers(), Tiling.here());
  }

  private void enter() {
    refuseFromInside();
    lock.lock();
    if (closed) {
      lock.unlock();
      throw new IllegalStateException("this embedder is closed");
    }
  }

  /** A text may be code of its reader's own, which would wait for itself or spoil what is made. */
  private void refuseFromInside() {
    if (lock.isHeldByCurrentThread() || coarse.isWorking(Thread.currentThread())) {
      throw new IllegalStateException("a text uses the embedder that is reading it");
    }
  }

  /** Threads that compute, the caller's own included. */
  public int workers() {
    return device.batches();
  }

  /** How alike two texts are by their vectors: 1 for the same, about 0 for strangers. */
  public static double cosine(float[] a, float[] b) {
    if (a.length != b.length) {
      throw new IllegalArgumentException(
          "vectors of %d and %d numbers".formatted(a.length, b.length));
    }
    double cosine = 0;
    for (int i = 0; i < a.length; i++) cosine += (double) a[i] * b[i];
    return cosine;
  }

  @Override
  public void close() {
    refuseFromInside();
    lock.lock();
    try {
      if (closed) return;
      closed = true;
      packed.close();
      coarse.close();
      opened.close();
    } finally {
      lock.unlock();
    }
  }
}
