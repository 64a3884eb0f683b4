package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.Series;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Workloads one after the other, in one report. */
final class Together implements Workload {
  /** As many figures of each part stand before the rest. */
  private static final int FIRST = 2;

  private final String name;
  private final List<Workload> parts;
  private final List<Workload> measured = new ArrayList<>();
  private volatile Workload current;
  private volatile boolean cancelled;

  Together(String name, List<Workload> parts) {
    this.name = name;
    this.parts = List.copyOf(parts);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    return parts.stream().map(Workload::title).collect(Collectors.joining(" · and "));
  }

  @Override
  public void warmUp(Progress progress) {
    for (Workload part : parts) part.warmUp(progress);
  }

  @Override
  public void measure(Progress progress) {
    for (Workload part : parts) {
      if (cancelled) return;
      current = part;
      measured.add(part);
      part.measure(progress);
    }
    current = null;
  }

  @Override
  public boolean cancel() {
    Workload running = current;
    if (running == null || !running.cancel()) return false;
    cancelled = true;
    return true;
  }

  @Override
  public Outcome outcome(Profile profile) {
    Map<String, String> configuration = new LinkedHashMap<>();
    Map<String, String> plan = new LinkedHashMap<>();
    Map<String, String> conditions = new LinkedHashMap<>();
    List<Metric> first = new ArrayList<>();
    List<Metric> rest = new ArrayList<>();
    List<String> digests = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    List<Series> series = new ArrayList<>();
    for (Workload part : measured) {
      Outcome outcome = part.outcome(profile);
      configuration.putAll(outcome.configuration());
      plan.putAll(outcome.plan());
      outcome.conditions().forEach((key, value) -> put(conditions, key, value));
      int few = Math.min(FIRST, outcome.metrics().size());
      first.addAll(outcome.metrics().subList(0, few));
      rest.addAll(outcome.metrics().subList(few, outcome.metrics().size()));
      digests.add(outcome.digest());
      wrong.addAll(outcome.wrong());
      series.addAll(outcome.series());
    }
    first.addAll(rest);
    String digest = String.join(" ", digests);
    return new Outcome(configuration, plan, conditions, first, digest, wrong, series, 0);
  }

  /** What is cold is told of each. */
  private static void put(Map<String, String> all, String key, String value) {
    if (key.equals(Run.COLD)) all.merge(key, value, (a, b) -> a.equals(b) ? a : a + "; " + b);
    else all.put(key, value);
  }

  @Override
  public void close() {
    parts.forEach(Workload::close);
  }
}
