package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.HeapMeter;
import dev.ridgeline.cli.workload.Loading;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.Pace.Length;
import dev.ridgeline.cli.workload.Pace.Speed;
import dev.ridgeline.cli.workload.Recording;
import dev.ridgeline.cli.workload.Steadiness;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.lab.memory.MemorySeries;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
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
import java.util.Random;
import java.util.stream.Collectors;

/** The same texts embedded again and again: rate, latency, and where the time goes. */
final class EmbedWorkload implements Workload {
  private static final Scope PASS = Scope.of("embed");

  /** Texts of a pass of the warm-up: many short passes tell sooner that it is over. */
  private static final int WARM_UP_TEXTS = 64;

  /** Texts that are embedded alone for the latency. */
  private static final int LONE_TEXTS = 200;

  /** The same two where the measured phase is to be short. */
  private static final int SHORT_WARM_UP_TEXTS = 16;

  private static final int SHORT_LONE_TEXTS = 32;

  /** … and the time for them, as a part of that for the others. */
  private static final double LONE_PART = 0.25;

  /** Passes after which memory is read, at most. */
  private static final int MOST_READINGS = 1000;

  /** Passes of a short measured phase at least. */
  private static final int FEWEST = 2;

  /** More than rounding may take from a length of 1. */
  private static final double LENGTH_ERROR = 1e-3;

  private static final CompilationMXBean JIT = ManagementFactory.getCompilationMXBean();

  /**
   * What is run.
   *
   * @param model its name in full
   * @param instead why this is not the model that was asked for, or ""
   * @param source where the texts are from, in a word
   * @param calls how many texts come at a time, each size in its turn; none where all come at once
   * @param iterations passes over all texts
   * @param atLeast seconds to measure: passes are repeated until they are over; 0 to count them
   * @param warmUp seconds of warming up at most; a pass is always run
   * @param memory whether memory is read after each pass
   * @param pace what keeps it short, where nobody said how much to do
   */
  record Plan(
      String model,
      Path file,
      String instead,
      EmbedderOptions options,
      List<String> texts,
      String source,
      List<Integer> calls,
      int iterations,
      double atLeast,
      double warmUp,
      boolean memory,
      Pace pace) {
    int warmUpTexts() {
      if (!calls.isEmpty()) return calls.stream().mapToInt(Integer::intValue).sum();
      return Math.min(atLeast > 0 ? SHORT_WARM_UP_TEXTS : WARM_UP_TEXTS, texts.size());
    }

    int loneTexts() {
      return Math.min(atLeast > 0 ? SHORT_LONE_TEXTS : LONE_TEXTS, texts.size());
    }
  }

  private final Plan plan;
  private final Embedder embedder;
  private final CallTree.Node load;

  /** Those that are measured, and how often: fewer than planned where the machine is slow. */
  private List<String> texts;

  private int iterations;
  private float[] vectors;
  private long tokens;
  private final HeapMeter heap = new HeapMeter();
  private final List<Calls> calls = new ArrayList<>();

  /** Whichever size comes first, none shall always come behind the same one. */
  private final Random order = new Random(20_251_116);

  private final List<Double> seconds = new ArrayList<>();
  private Steadiness steadiness = new Steadiness();
  private int warmUpTexts;

  /** Null where nobody asked. */
  private final MemorySeries memory;

  /** Why it is not warm; null when it is, or was not warmed up. */
  private String cold;

  EmbedWorkload(Plan plan) {
    this.plan = plan;
    this.texts = plan.texts();
    this.iterations = plan.iterations();
    this.memory = plan.memory() ? new MemorySeries(MOST_READINGS) : null;
    // What was warmed up is what is measured; so loading it has a session of its own.
    Embedder[] opened = new Embedder[1];
    Profile loading =
        Recording.session(
            Options.of(Level.TIME),
            () -> opened[0] = Embedder.open(plan.model(), plan.file(), plan.options()));
    this.embedder = opened[0];
    this.load = loading.tree().find("load");
    try {
      this.vectors = new float[Math.multiplyExact(texts.size(), embedder.dimensions())];
      this.tokens = texts.stream().mapToLong(embedder::countTokens).sum();
      for (int size : plan.calls()) calls.add(new Calls(size, texts, embedder));
    } catch (RuntimeException | Error e) {
      embedder.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return "embed";
  }

  @Override
  public String title() {
    Map<String, String> ran = embedder.plan(texts.size());
    return "%s · %s · %s · %s, %s"
        .formatted(
            plan.model(),
            Quantity.many(texts.size(), "text"),
            Quantity.many(tokens, "token"),
            ran.get("strategy"),
            Quantity.many(Long.parseLong(ran.get("workers")), "worker"));
  }

  @Override
  public void warmUp(Progress progress) {
    Pace pace = plan.pace();
    Pace.WarmUp time = pace.warmUp(plan.warmUp());
    Length all = new Length(texts.size(), iterations);
    warmUpTexts = pace.first(plan.warmUpTexts());
    List<Double> passes = new ArrayList<>();
    double fastest = Double.MAX_VALUE;
    do {
      progress.step("warming up, pass " + (passes.size() + 1));
      List<String> some = texts.subList(0, warmUpTexts);
      long before = heap.bytes();
      double pass = calls.isEmpty() ? pass(some) : once();
      long allocated = heap.bytes() - before;
      long jit = JIT == null ? 0 : JIT.getTotalCompilationTime();
      steadiness.add((long) (pass * 1e9), warmUpTexts, allocated, jit);
      passes.add(pass);
      fastest = Math.min(fastest, pass / warmUpTexts);
      cold = steadiness.cold();
      int next = pace.next(warmUpTexts, pass, plan.warmUpTexts());
      if (next > warmUpTexts) {
        warmUpTexts = next;
        steadiness = new Steadiness(); // passes of another size cannot be compared
        cold = steadiness.cold();
      }
    } while (cold != null && time.mayGoOn(new Speed(0, fastest), all));
    progress.log("warm-up passes: " + passes);
    shorten(pace.length(new Speed(0, fastest), all));
  }

  private void shorten(Length length) {
    iterations = length.passes();
    if (length.units() == texts.size()) return;
    texts = texts.subList(0, length.units());
    tokens = texts.stream().mapToLong(embedder::countTokens).sum();
    vectors = new float[texts.size() * embedder.dimensions()];
  }

  @Override
  public void measure(Progress progress) {
    long start = System.nanoTime();
    do {
      int pass = seconds.size() + 1;
      if (plan.atLeast() > 0) progress.step("measuring, pass " + pass);
      else progress.step("measuring, pass", pass, iterations, "");
      double took;
      try (var _ = Profiler.scope(PASS)) {
        took = calls.isEmpty() ? pass(texts) : inTurn();
      }
      seconds.add(took);
      if (memory != null) memory.after((double) seconds.size() * texts.size());
    } while (more(System.nanoTime() - start));
  }

  private boolean more(long nanos) {
    int done = seconds.size();
    if (!plan.pace().timeFor(seconds.getLast())) return false;
    if (plan.atLeast() == 0) return done < iterations;
    return done < FEWEST || nanos < plan.atLeast() * 1e9;
  }

  private double pass(List<String> of) {
    long start = System.nanoTime();
    embedder.embed(of, vectors);
    return (System.nanoTime() - start) / 1e9;
  }

  /** Every size once, with all texts, in another order each time. */
  private double inTurn() {
    long start = System.nanoTime();
    List<Calls> sizes = new ArrayList<>(calls);
    Collections.shuffle(sizes, order);
    for (Calls each : sizes) each.pass(vectors);
    return (System.nanoTime() - start) / 1e9;
  }

  /** A call of each size. */
  private double once() {
    long start = System.nanoTime();
    for (Calls each : calls) each.once();
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
        (double) seconds.size() * texts.size() * Math.max(1, calls.size()));
  }

  private Map<String, String> configuration() {
    Map<String, String> configuration = new LinkedHashMap<>();
    configuration.put("model", plan.model());
    configuration.put(Outcome.FILE, plan.file().toString());
    configuration.put("texts", "%,d, %s".formatted(texts.size(), plan.source()));
    if (!calls.isEmpty()) configuration.put("calls of", sizes());
    configuration.put(
        "iterations", plan.atLeast() > 0 ? plan.atLeast() + " s" : Integer.toString(iterations));
    configuration.put("warm-up, at most", plan.warmUp() + " s");
    return configuration;
  }

  private Map<String, String> plan() {
    Map<String, String> ran = new LinkedHashMap<>(embedder.plan(texts.size()));
    if (!plan.instead().isEmpty()) ran.put("instead", plan.instead());
    // What automatic choice does depends on how many texts come at a time.
    if (!calls.isEmpty()) {
      ran.put(
          "calls",
          calls.stream()
              .map(each -> each.size() + " " + strategy(embedder.plan(each.size())))
              .collect(Collectors.joining(", ")));
    }
    return ran;
  }

  private static String strategy(Map<String, String> plan) {
    String batch = plan.get("batch");
    return plan.get("strategy") + (batch == null ? "" : " by " + batch);
  }

  private String sizes() {
    return plan.calls().stream().map(String::valueOf).collect(Collectors.joining(", ")) + " texts";
  }

  private Map<String, String> conditions() {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put(
        "warm-up",
        "%d passes of %d texts, not in the profile".formatted(steadiness.rounds(), warmUpTexts));
    String shortened =
        plan.pace()
            .shortened(
                new Length(texts.size(), seconds.size()),
                new Length(plan.texts().size(), plan.iterations()),
                "text",
                "--texts");
    if (shortened != null) conditions.put("shortened", shortened);
    if (cold != null) conditions.put(Run.COLD, cold);
    return conditions;
  }

  private List<Metric> metrics(Profile profile) {
    List<Metric> metrics = new ArrayList<>();
    if (!calls.isEmpty()) {
      for (Calls each : calls) metrics.addAll(each.metrics(profile, PASS));
      metrics.addAll(Loading.metrics(load));
      return metrics;
    }
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
    metrics.addAll(Loading.metrics(load));
    if (memory != null) {
      metrics.addAll(memory.metrics("text"));
      double planned =
          Embedder.memory(plan.file(), plan.options(), texts.size()).values().stream()
              .mapToLong(Long::longValue)
              .sum();
      metrics.add(Metric.of("planned outside the heap", "B", Better.NEITHER, planned));
    }
    return metrics;
  }

  /** How long a text takes that comes alone, after the session: these calls are in no profile. */
  private double[] loneMillis() {
    float[] vector = new float[embedder.dimensions()];
    double[] millis = new double[loneTexts(vector)];
    // Alone they take another way than together, which is warm after the first time.
    for (int time = 0; time < 2; time++) {
      for (int i = 0; i < millis.length; i++) {
        List<String> lone = List.of(texts.get(i));
        long start = System.nanoTime();
        embedder.embed(lone, vector);
        millis[i] = (System.nanoTime() - start) / 1e6;
      }
    }
    Arrays.sort(millis);
    return millis;
  }

  private int loneTexts(float[] vector) {
    int most = Math.min(plan.loneTexts(), texts.size());
    long start = System.nanoTime();
    embedder.embed(List.of(texts.getFirst()), vector);
    double each = 2 * (System.nanoTime() - start) / 1e9;
    int fit = plan.pace().count(each, most);
    return plan.atLeast() == 0 ? fit : (int) Math.clamp(LONE_PART * plan.atLeast() / each, 1, fit);
  }

  private static Metric latency(double[] sorted, double quantile, String name) {
    String alone = name + " of a text that comes alone";
    return Metric.of(alone, "ms", Better.LOWER, quantile(sorted, quantile));
  }

  static double quantile(double[] sorted, double quantile) {
    int index = (int) Math.min(sorted.length - 1, Math.ceil(quantile * sorted.length) - 1);
    return sorted[Math.max(0, index)];
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
