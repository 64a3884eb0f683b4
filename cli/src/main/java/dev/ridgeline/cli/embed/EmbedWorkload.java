package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.models.ModelOptions.Chosen;
import dev.ridgeline.cli.workload.Fingerprint;
import dev.ridgeline.cli.workload.Latency;
import dev.ridgeline.cli.workload.Loading;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.RepeatedWorkload;
import dev.ridgeline.lab.memory.MemorySeries;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** The same texts embedded again and again: rate, latency, and where the time goes. */
final class EmbedWorkload extends RepeatedWorkload {
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

  /** More than rounding may take from a length of 1. */
  private static final double LENGTH_ERROR = 1e-3;

  /**
   * What is run.
   *
   * @param source where the texts are from, in a word
   * @param calls how many texts come at a time, each size in its turn; none where all come at once
   * @param memory whether memory is read after each pass
   * @param amount how much is measured: texts, and passes over them
   */
  record Plan(
      Chosen model,
      EmbedderOptions options,
      List<String> texts,
      String source,
      List<Integer> calls,
      boolean memory,
      Amount amount) {
    int warmUpTexts() {
      if (!calls.isEmpty()) return calls.stream().mapToInt(Integer::intValue).sum();
      return Math.min(amount.atLeast() > 0 ? SHORT_WARM_UP_TEXTS : WARM_UP_TEXTS, texts.size());
    }

    int loneTexts() {
      return amount.atLeast() > 0 ? SHORT_LONE_TEXTS : LONE_TEXTS;
    }
  }

  private final Plan plan;
  private final Loading<Embedder> loading;
  private final Embedder embedder;

  /** Those that are measured: fewer than planned where the machine is slow. */
  private List<String> texts;

  private float[] vectors;
  private long tokens;
  private final List<Calls> calls = new ArrayList<>();

  /** Whichever size comes first, none shall always come after the same one. */
  private final Random order = new Random(20_251_116);

  private final List<Double> seconds = new ArrayList<>();
  private int warmUpTexts;
  private double fastest = Double.MAX_VALUE;

  /** Null where nobody asked. */
  private final MemorySeries memory;

  EmbedWorkload(Plan plan) {
    super("embed", plan.amount());
    this.plan = plan;
    this.texts = plan.texts();
    this.warmUpTexts = asked.pace().first(plan.warmUpTexts());
    this.memory = plan.memory() ? new MemorySeries(MOST_READINGS) : null;
    this.loading =
        Loading.of(() -> Embedder.open(plan.model().name(), plan.model().file(), plan.options()));
    this.embedder = loading.model();
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
  public String title() {
    Map<String, String> ran = embedder.plan(texts.size());
    return "%s · %s · %s · %s, %s%s"
        .formatted(
            plan.model().name(),
            Quantity.many(texts.size(), "text"),
            Quantity.many(tokens, "token"),
            ran.get("strategy"),
            Quantity.many(Long.parseLong(ran.get("workers")), "worker"),
            ending());
  }

  @Override
  protected Pace.Speed warm(int index, Progress progress) {
    int size = warmUpTexts;
    List<String> some = texts.subList(0, size);
    long before = heap.bytes();
    double pass = calls.isEmpty() ? pass(some) : once();
    took((long) (pass * 1e9), size, heap.bytes() - before);
    fastest = Math.min(fastest, pass / size);
    warmUpTexts = asked.pace().next(size, pass, plan.warmUpTexts());
    if (warmUpTexts > size) startOver();
    return new Pace.Speed(0, fastest);
  }

  @Override
  protected void shorten(Pace.Length length) {
    if (length.units() == texts.size()) return;
    texts = texts.subList(0, length.units());
    tokens = texts.stream().mapToLong(embedder::countTokens).sum();
    vectors = new float[texts.size() * embedder.dimensions()];
  }

  @Override
  protected double round(int index) {
    double took;
    try (var _ = Profiler.scope(PASS)) {
      took = calls.isEmpty() ? pass(texts) : inTurn();
    }
    seconds.add(took);
    if (memory != null) memory.after((double) seconds.size() * texts.size());
    return took;
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
        conditions("text", "--texts"),
        metrics(profile),
        new Fingerprint().add(vectors).digest(),
        wrong(),
        List.of(),
        (double) seconds.size() * texts.size() * Math.max(1, calls.size()));
  }

  private Map<String, String> configuration() {
    Map<String, String> configuration = new LinkedHashMap<>();
    configuration.put("model", plan.model().name());
    configuration.put(Outcome.FILE, plan.model().file().toString());
    configuration.put("texts", "%,d, %s".formatted(texts.size(), plan.source()));
    if (!calls.isEmpty()) configuration.put("calls of", sizes());
    configuration.put("iterations", often());
    configuration.put("warm-up, at most", asked.warmUp() + " s");
    return configuration;
  }

  private Map<String, String> plan() {
    Map<String, String> ran = new LinkedHashMap<>(embedder.plan(texts.size()));
    if (!plan.model().instead().isEmpty()) ran.put("instead", plan.model().instead());
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

  private List<Metric> metrics(Profile profile) {
    List<Metric> metrics = new ArrayList<>();
    if (!calls.isEmpty()) {
      for (Calls each : calls) metrics.addAll(each.metrics(profile, PASS));
      metrics.addAll(loading.metrics());
      return metrics;
    }
    double[] rates = seconds.stream().mapToDouble(s -> texts.size() / s).toArray();
    metrics.add(Metric.of("embedded", "texts/s", Better.HIGHER, rates));
    metrics.addAll(Latency.metrics("single-text latency, ", loneMillis()));
    CallTree.Node all = profile.tree().find(PASS.name());
    if (all.allocatedBytes() != Profile.UNKNOWN) {
      double each = (double) all.allocatedBytes() / seconds.size() / texts.size();
      metrics.add(Metric.of("allocated per text", "B", Better.LOWER, each));
    }
    double[] tokenRates = seconds.stream().mapToDouble(s -> tokens / s).toArray();
    metrics.add(Metric.of("embedded tokens", "tokens/s", Better.HIGHER, tokenRates));
    metrics.addAll(loading.metrics());
    if (memory != null) {
      metrics.addAll(memory.metrics("text"));
      double planned =
          Embedder.memory(plan.model().file(), plan.options(), texts.size()).values().stream()
              .mapToLong(Long::longValue)
              .sum();
      metrics.add(Metric.of("planned outside the heap", "B", Better.NEITHER, planned));
    }
    return metrics;
  }

  /** How long each of some single texts takes, after the session: these calls are in no profile. */
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
    return millis;
  }

  private int loneTexts(float[] vector) {
    int most = Math.min(plan.loneTexts(), texts.size());
    long start = System.nanoTime();
    embedder.embed(List.of(texts.getFirst()), vector);
    double each = 2 * (System.nanoTime() - start) / 1e9;
    int fit = asked.pace().count(each, most);
    return asked.atLeast() == 0
        ? fit
        : (int) Math.clamp(LONE_PART * asked.atLeast() / each, 1, fit);
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
