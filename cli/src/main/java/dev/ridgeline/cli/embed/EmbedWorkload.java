package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.profile.Outcome;
import dev.ridgeline.cli.profile.Progress;
import dev.ridgeline.cli.profile.Workload;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same texts embedded again and again: rate, latency, and where the time goes. */
final class EmbedWorkload implements Workload {
  private static final Scope PASS = Scope.of("embed");

  /** The longest that warming up may take. */
  private static final long WARM_UP_NANOS = 15_000_000_000L;

  /** Texts of a pass of the warm-up: many short passes tell sooner that it is over. */
  private static final int WARM_UP_TEXTS = 64;

  /** The code is warm when so many passes in a row were hardly faster than the best before. */
  private static final int SETTLED_PASSES = 4;

  private static final double SETTLED = 0.03;

  /** Texts that are embedded alone for the latency. */
  private static final int LONE_TEXTS = 200;

  /** The same three where the measured phase is to be short. */
  private static final int SHORT_WARM_UP_TEXTS = 16;

  private static final int SHORT_LONE_TEXTS = 32;

  /** Passes of a short measured phase at least. */
  private static final int FEWEST = 2;

  /** More than rounding may take from a length of 1. */
  private static final double LENGTH_ERROR = 1e-3;

  private final String modelName;
  private final Path model;
  private final EmbedderOptions options;
  private final List<String> texts;
  private final int iterations;

  /** How long to measure, 0 to count passes. */
  private final double atLeast;

  private final String source;

  /** Why this is not the model that was asked for, or "". */
  private final String instead;

  private final float[] vectors;
  private final List<Double> seconds = new ArrayList<>();
  private final long tokens;
  private Embedder embedder;
  private int warmUpPasses;
  private boolean settled;

  EmbedWorkload(
      String modelName,
      Path model,
      EmbedderOptions options,
      List<String> texts,
      String source,
      int iterations,
      double atLeast,
      String instead) {
    this.modelName = modelName;
    this.model = model;
    this.options = options;
    this.texts = texts;
    this.source = source;
    this.iterations = iterations;
    this.atLeast = atLeast;
    this.instead = instead;
    this.embedder = Embedder.open(modelName, model, options);
    this.vectors = new float[Math.multiplyExact(texts.size(), embedder.dimensions())];
    this.tokens = texts.stream().mapToLong(embedder::countTokens).sum();
  }

  @Override
  public String name() {
    return "embed";
  }

  @Override
  public String title() {
    Map<String, String> plan = embedder.plan(texts.size());
    return "%s · %s · %s · %s, %s"
        .formatted(
            modelName,
            Quantity.many(texts.size(), "text"),
            Quantity.many(tokens, "token"),
            plan.get("strategy"),
            Quantity.many(Long.parseLong(plan.get("workers")), "worker"));
  }

  @Override
  public void warmUp(Progress progress) {
    long start = System.nanoTime();
    List<Double> passes = new ArrayList<>();
    List<String> some = texts.subList(0, warmUpTexts());
    do {
      progress.show("warming up, pass " + (passes.size() + 1));
      passes.add(pass(some));
      settled = settled(passes);
    } while (!settled && System.nanoTime() - start < WARM_UP_NANOS);
    warmUpPasses = passes.size();
    progress.note("warm-up passes: " + passes);
  }

  private int warmUpTexts() {
    return Math.min(atLeast > 0 ? SHORT_WARM_UP_TEXTS : WARM_UP_TEXTS, texts.size());
  }

  /** Cold code gets faster; a busy machine only scatters, and that is no reason to wait. */
  private static boolean settled(List<Double> passes) {
    int before = passes.size() - SETTLED_PASSES;
    if (before < SETTLED_PASSES) return false;
    double best = Collections.min(passes.subList(0, before));
    return Collections.min(passes.subList(before, passes.size())) >= best * (1 - SETTLED);
  }

  @Override
  public void measure(Progress progress) {
    // Opened again, so that what loading takes is in the profile.
    embedder.close();
    embedder = Embedder.open(modelName, model, options);
    long start = System.nanoTime();
    do {
      int pass = seconds.size() + 1;
      if (atLeast > 0) progress.show("measuring, pass " + pass);
      else progress.show("measuring, pass", pass, iterations, "");
      try (var _ = Profiler.scope(PASS)) {
        seconds.add(pass(texts));
      }
    } while (more(System.nanoTime() - start));
  }

  private boolean more(long nanos) {
    int done = seconds.size();
    return atLeast > 0 ? done < FEWEST || nanos < atLeast * 1e9 : done < iterations;
  }

  private double pass(List<String> of) {
    long start = System.nanoTime();
    embedder.embed(of, vectors);
    return (System.nanoTime() - start) / 1e9;
  }

  @Override
  public Outcome outcome(Profile profile) {
    return new Outcome(
        configuration(),
        plan(),
        conditions(),
        metrics(profile),
        digest(),
        wrong(),
        List.of(),
        (double) seconds.size() * texts.size());
  }

  private Map<String, String> configuration() {
    Map<String, String> configuration = new LinkedHashMap<>();
    configuration.put("model", modelName);
    configuration.put("file", model.toString());
    configuration.put("texts", "%,d, %s".formatted(texts.size(), source));
    configuration.put("batch", "%,d texts at most".formatted(options.batch()));
    configuration.put("iterations", atLeast > 0 ? atLeast + " s" : Integer.toString(iterations));
    return configuration;
  }

  private Map<String, String> plan() {
    Map<String, String> plan = new LinkedHashMap<>(embedder.plan(texts.size()));
    if (!instead.isEmpty()) plan.put("instead", instead);
    return plan;
  }

  private Map<String, String> conditions() {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put(
        "warm-up",
        "%d passes of %d texts, not in the profile".formatted(warmUpPasses, warmUpTexts()));
    if (!settled) {
      conditions.put(Run.COLD, "passes were still getting faster when measuring began");
    }
    return conditions;
  }

  private List<Metric> metrics(Profile profile) {
    List<Metric> metrics = new ArrayList<>();
    double[] rates = seconds.stream().mapToDouble(s -> texts.size() / s).toArray();
    metrics.add(Metric.of("embedded", "texts/s", Better.HIGHER, rates));
    double[] lone = loneMillis();
    metrics.add(latency(lone, 0.5, "p50"));
    metrics.add(latency(lone, 0.99, "p99"));
    CallTree.Node all = profile.tree().find(PASS.name());
    if (all.allocatedBytes() != Profile.UNKNOWN) {
      double each = (double) all.allocatedBytes() / seconds.size() / texts.size();
      metrics.add(Metric.of("allocated per text", "B", Better.LOWER, each));
    }
    double[] tokenRates = seconds.stream().mapToDouble(s -> tokens / s).toArray();
    metrics.add(Metric.of("embedded tokens", "tokens/s", Better.HIGHER, tokenRates));
    return metrics;
  }

  /** How long a text takes that comes alone, after the session: these calls are in no profile. */
  private double[] loneMillis() {
    int count = Math.min(atLeast > 0 ? SHORT_LONE_TEXTS : LONE_TEXTS, texts.size());
    double[] millis = new double[count];
    float[] vector = new float[embedder.dimensions()];
    for (int i = 0; i < count; i++) {
      List<String> lone = List.of(texts.get(i));
      long start = System.nanoTime();
      embedder.embed(lone, vector);
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis);
    return millis;
  }

  private static Metric latency(double[] sorted, double quantile, String name) {
    int index = (int) Math.min(sorted.length - 1, Math.ceil(quantile * sorted.length) - 1);
    return Metric.of(
        name + " of a text that comes alone", "ms", Better.LOWER, sorted[Math.max(0, index)]);
  }

  private String digest() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      ByteBuffer bytes = ByteBuffer.allocate(4 * vectors.length);
      bytes.asFloatBuffer().put(vectors);
      sha.update(bytes);
      return "sha256:" + HexFormat.of().formatHex(sha.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  private List<String> wrong() {
    int dimensions = embedder.dimensions();
    for (int i = 0; i < texts.size(); i++) {
      double length = 0;
      for (int j = 0; j < dimensions; j++) {
        double number = vectors[i * dimensions + j];
        length += number * number;
      }
      if (!(Math.abs(Math.sqrt(length) - 1) < LENGTH_ERROR)) {
        return List.of("the vector of text %d has length %s".formatted(i + 1, Math.sqrt(length)));
      }
    }
    return List.of();
  }

  @Override
  public void close() {
    embedder.close();
  }
}
