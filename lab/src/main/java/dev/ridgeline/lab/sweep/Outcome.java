package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Trial;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a sweep measured, and the questions that can be asked of it.
 *
 * @param arms in the order in which they were given
 * @param reference the name of the arm that others are held against
 * @param trials every trial, in the order in which they ran
 * @param plans what the options of each arm came to, by its name
 */
public record Outcome(
    List<Arm> arms,
    String reference,
    List<Trial<Arm>> trials,
    Map<String, Map<String, String>> plans) {
  /** What intervals have unless more is asked of them. */
  public static final double CONFIDENCE = 0.95;

  public Outcome {
    arms = List.copyOf(arms);
    trials = List.copyOf(trials);
    plans = Collections.unmodifiableMap(new LinkedHashMap<>(plans));
  }

  /** Every metric that a trial has, in order, with its unit and which way is better. */
  public List<Reading.Value> metrics() {
    Map<String, Reading.Value> all = new LinkedHashMap<>();
    for (Trial<Arm> trial : trials) {
      for (Reading.Value value : trial.reading().metrics()) all.putIfAbsent(value.name(), value);
    }
    return List.copyOf(all.values());
  }

  /** A metric by its name, or null. */
  public Reading.Value metric(String name) {
    return metrics().stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }

  /** Rounds in which every one of these arms was measured. */
  public int rounds(String... names) {
    Set<Integer> rounds = null;
    for (String name : names) {
      Set<Integer> of = new LinkedHashSet<>();
      for (Trial<Arm> trial : trials) {
        if (trial.counts() && trial.arm().name().equals(name)) of.add(trial.round());
      }
      if (rounds == null) rounds = of;
      else rounds.retainAll(of);
    }
    return rounds == null ? 0 : rounds.size();
  }

  /**
   * What an arm measured of a metric, by round. Rounds of some arms alone are left out: levels of
   * arms are for comparing, and a machine is not equally fast in all rounds.
   */
  public Map<Integer, Double> byRound(String arm, String metric) {
    Map<Integer, Double> values = byAnyRound(arm, metric);
    if (!values.isEmpty()) values.keySet().retainAll(wholeRounds());
    return values;
  }

  private Map<Integer, Double> byAnyRound(String arm, String metric) {
    Map<Integer, Double> values = new TreeMap<>();
    for (Trial<Arm> trial : trials) {
      if (!trial.counts() || !trial.arm().name().equals(arm)) continue;
      double value = trial.value(metric);
      if (Double.isFinite(value)) values.put(trial.round(), value);
    }
    return values;
  }

  /** Rounds in which every arm was measured that was measured at all. */
  private Set<Integer> wholeRounds() {
    Set<String> measured = new HashSet<>();
    Map<Integer, Integer> counts = new HashMap<>();
    for (Trial<Arm> trial : trials) {
      if (!trial.counts()) continue;
      measured.add(trial.arm().name());
      counts.merge(trial.round(), 1, Integer::sum);
    }
    counts.values().removeIf(count -> count < measured.size());
    return counts.keySet();
  }

  /** The values of several arms or metrics in the rounds that have all of them. */
  public static double[][] together(List<Map<Integer, Double>> byRound) {
    Set<Integer> rounds = new TreeSet<>(byRound.getFirst().keySet());
    byRound.forEach(each -> rounds.retainAll(each.keySet()));
    return byRound.stream()
        .map(each -> rounds.stream().mapToDouble(each::get).toArray())
        .toArray(double[][]::new);
  }

  /** The same in the order in which it ran. */
  public double[] values(String arm, String metric) {
    return byRound(arm, metric).values().stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** The middle of what an arm measured; NaN where it measured nothing. */
  public double median(String arm, String metric) {
    double[] values = values(arm, metric);
    return values.length == 0 ? Double.NaN : Median.of(values);
  }

  /**
   * What a metric of an arm is, with the bounds that its trials leave. Drift of the machine is in
   * it: arms are told apart by {@link #ratio}, not by bounds that do not touch.
   */
  public Interval level(String arm, String metric) {
    double[] values = values(arm, metric);
    boolean positive = values.length > 0 && Arrays.stream(values).allMatch(v -> v > 0);
    if (!positive) return HodgesLehmann.of(values, CONFIDENCE);
    Interval log = HodgesLehmann.of(Arrays.stream(values).map(Math::log).toArray(), CONFIDENCE);
    return log.map(Math::exp);
  }

  /** Log-ratios of a metric of two arms, of the rounds that have all. */
  public double[] logRatios(String arm, String base, String metric) {
    return logRatios(byRound(arm, metric), byRound(base, metric), 1, Integer.MAX_VALUE);
  }

  /** The same of a stretch of rounds that have both, whether or not others were measured. */
  double[] logRatios(String arm, String base, String metric, int from, int to) {
    return logRatios(byAnyRound(arm, metric), byAnyRound(base, metric), from, to);
  }

  private static double[] logRatios(
      Map<Integer, Double> of, Map<Integer, Double> base, int from, int to) {
    List<Double> logs = new ArrayList<>();
    of.forEach(
        (round, value) -> {
          Double other = base.get(round);
          if (round < from || round > to || other == null || !(value > 0 && other > 0)) return;
          logs.add(Math.log(value) - Math.log(other));
        });
    return logs.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** The log-ratio of a metric of two arms, paired by round, with its interval. */
  public Interval ratio(String arm, String base, String metric) {
    return ratio(arm, base, metric, CONFIDENCE);
  }

  public Interval ratio(String arm, String base, String metric, double confidence) {
    return HodgesLehmann.of(logRatios(arm, base, metric), confidence);
  }

  /** The log-ratio of two metrics of one arm, paired by trial, with its interval. */
  public Interval ratioOf(String arm, String metric, String base) {
    double[] logs = logRatios(byRound(arm, metric), byRound(arm, base), 1, Integer.MAX_VALUE);
    return HodgesLehmann.of(logs, CONFIDENCE);
  }

  /** The gain of an arm over another: a log-ratio that is positive where the arm is better. */
  public Interval gain(String arm, String base, String metric, double confidence) {
    Interval ratio = ratio(arm, base, metric, confidence);
    return better(metric) == Better.LOWER ? ratio.negated() : ratio;
  }

  Better better(String metric) {
    Reading.Value value = metric(metric);
    return value == null ? Better.NEITHER : value.better();
  }

  /** Arms whose options came to the same plan as those of one before, and so to the same code. */
  public List<List<String>> samePlans() {
    Map<Map<String, String>, List<String>> by = new LinkedHashMap<>();
    plans.forEach(
        (arm, plan) -> {
          if (!plan.isEmpty()) by.computeIfAbsent(plan, _ -> new ArrayList<>()).add(arm);
        });
    return by.values().stream().filter(names -> names.size() > 1).toList();
  }

  /** How many different outputs the arms have, of those that tell a digest of theirs. */
  public Map<String, Set<String>> digests() {
    Map<String, Set<String>> digests = new LinkedHashMap<>();
    for (Trial<Arm> trial : trials) {
      String digest = trial.reading().digest();
      if (digest.isEmpty()) continue;
      digests.computeIfAbsent(trial.arm().name(), _ -> new LinkedHashSet<>()).add(digest);
    }
    return digests;
  }

  /** Whether arms put out different things, of those that tell a digest of theirs. */
  public boolean outputsDiffer() {
    return digests().values().stream().flatMap(Set::stream).distinct().count() > 1;
  }

  public Arm arm(String name) {
    for (Arm arm : arms) if (arm.name().equals(name)) return arm;
    throw new IllegalArgumentException("no arm '%s'".formatted(name));
  }

  /** Trials that count although the machine was busy with something else. */
  public int disturbed() {
    return (int) trials.stream().filter(t -> t.counts() && t.disturbance().tooMuch()).count();
  }
}
