package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.workload.Latency;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Texts that come so many at a time: how fast they go through, how long a call takes, and what its
 * workers spend on agreeing.
 */
final class Calls {
  private final int size;
  private final Scope scope;
  private final List<List<String>> calls = new ArrayList<>();
  private final Embedder embedder;
  private final float[] vectors;

  /** Seconds of each pass over all texts. */
  private final List<Double> passes = new ArrayList<>();

  private long[] nanos = new long[256];
  private int count;
  private Profile.Pool pool = new Profile.Pool("", 0, 0, 0, 0, 0, 0, 0);

  /**
   * @param size of a call; texts are a multiple of it
   */
  Calls(int size, List<String> texts, Embedder embedder) {
    this.size = size;
    this.scope = Scope.of("calls of " + size);
    this.embedder = embedder;
    this.vectors = new float[size * embedder.dimensions()];
    for (int i = 0; i < texts.size(); i += size) calls.add(texts.subList(i, i + size));
  }

  int size() {
    return size;
  }

  /** One call, to be warm. */
  void once() {
    embedder.embed(calls.getFirst(), vectors);
  }

  /** All texts, call by call; what comes of them is put where they stand. */
  void pass(float[] all) {
    List<Profile.Pool> before = Profiler.pools();
    long sum = 0;
    for (int i = 0; i < calls.size(); i++) {
      List<String> call = calls.get(i);
      long took;
      try (var _ = Profiler.scope(scope)) {
        long start = System.nanoTime();
        embedder.embed(call, vectors);
        took = System.nanoTime() - start;
      }
      if (count == nanos.length) nanos = Arrays.copyOf(nanos, 2 * count);
      nanos[count++] = took;
      sum += took;
      System.arraycopy(vectors, 0, all, i * vectors.length, vectors.length);
    }
    add(before, Profiler.pools());
    passes.add(sum / 1e9);
  }

  private void add(List<Profile.Pool> before, List<Profile.Pool> after) {
    for (Profile.Pool now : after) {
      Profile.Pool since = now;
      for (Profile.Pool old : before) if (old.name().equals(now.name())) since = now.since(old);
      pool =
          new Profile.Pool(
              now.name(),
              now.threads(),
              pool.regions() + since.regions(),
              pool.tasks() + since.tasks(),
              pool.dispatchNanos() + since.dispatchNanos(),
              pool.waitNanos() + since.waitNanos(),
              pool.spinNanos() + since.spinNanos(),
              pool.parkNanos() + since.parkNanos());
    }
  }

  /**
   * What was measured.
   *
   * @param passScope the scope that passes are in
   */
  List<Metric> metrics(Profile profile, Scope passScope) {
    List<Metric> metrics = new ArrayList<>();
    double texts = (double) size * calls.size();
    double[] rates = passes.stream().mapToDouble(s -> texts / s).toArray();
    metrics.add(metric("embedded", "texts/s", Better.HIGHER, rates));
    double[] millis = Arrays.stream(nanos, 0, count).mapToDouble(each -> each / 1e6).toArray();
    metrics.addAll(Latency.metrics(Embed.figure(size, ""), millis));
    double all = texts * passes.size();
    CallTree.Node node = profile.tree().find(passScope.name(), scope.name());
    long allocated = allocated(node);
    if (allocated != Profile.UNKNOWN) {
      metrics.add(metric("allocated per text", "B", Better.LOWER, allocated / all));
    }
    metrics.add(metric("regions per text", "", Better.NEITHER, pool.regions() / all));
    metrics.add(metric("tasks per text", "", Better.NEITHER, pool.tasks() / all));
    double micros = 1e3 * all;
    metrics.add(metric("dispatch per text", "µs", Better.NEITHER, pool.dispatchNanos() / micros));
    metrics.add(metric("wait per text", "µs", Better.NEITHER, pool.waitNanos() / micros));
    metrics.add(metric("spin per text", "µs", Better.NEITHER, pool.spinNanos() / micros));
    metrics.add(metric("park per text", "µs", Better.NEITHER, pool.parkNanos() / micros));
    return metrics;
  }

  /** Of all threads: what workers allocate stands below, under the tasks that they took. */
  private static long allocated(CallTree.Node node) {
    long sum = 0;
    List<CallTree.Node> left = new ArrayList<>(List.of(node));
    while (!left.isEmpty()) {
      CallTree.Node each = left.removeLast();
      if (each.selfAllocatedBytes() == Profile.UNKNOWN) return Profile.UNKNOWN;
      sum += each.selfAllocatedBytes();
      left.addAll(each.children());
    }
    return sum;
  }

  private Metric metric(String name, String unit, Better better, double... samples) {
    return Metric.of(Embed.figure(size, name), unit, better, samples);
  }
}
