package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.lab.verdict.Design;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.lab.verdict.Rule;
import dev.ridgeline.lab.verdict.Sides;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.run.Metric.Better;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A finished session and what may be concluded from it.
 *
 * @param setting what was compared
 * @param design what was fixed before the first triplet
 * @param seed of the order
 * @param budgetSeconds what it was allowed to take
 * @param tookSeconds what it took
 * @param trialSeconds how long each trial measured
 * @param tripletSeconds what a triplet took
 * @param trials every trial, in the order in which they ran
 * @param pairs triplets that count
 * @param plannedPairs how many there were to be, by the last estimate
 * @param firstBlock how many of them belong to the first block; −1 when there was no second
 * @param repeated trials that were run again because the machine was busy
 * @param disturbed trials that count although it was
 * @param stopped whether somebody stopped it
 * @param finding what the rule says of the metric that decides
 * @param verdict the answer
 * @param why the reason, in words
 * @param deciding the metric that decides; null when there is none
 * @param metrics the others
 * @param scopes self times, those that changed most surely first
 * @param responsible the scope whose change explains most of the verdict, or null
 * @param gates what has no noise
 */
public record Experiment(
    Setting setting,
    Design design,
    long seed,
    double budgetSeconds,
    double tookSeconds,
    double trialSeconds,
    double tripletSeconds,
    List<Trial<Arm>> trials,
    int pairs,
    int plannedPairs,
    int firstBlock,
    int repeated,
    int disturbed,
    boolean stopped,
    Rule.Finding finding,
    Verdict verdict,
    String why,
    Comparison deciding,
    List<Comparison> metrics,
    List<Comparison> scopes,
    Comparison responsible,
    List<Gate> gates) {

  /**
   * What was compared.
   *
   * @param started when
   * @param command the command line, word by word
   * @param workload what both sides ran, or empty
   * @param a what is special about A
   * @param b what is special about B
   * @param perUnit whether scopes are told for a unit of work; else for a call
   */
  public record Setting(
      Instant started, List<String> command, String workload, String a, String b, boolean perUnit) {
    static final String UNIT_OF_WORK = "ns a unit of work";

    public Setting {
      command = List.copyOf(command);
    }

    /** What a time of a scope is counted in. */
    public String scopeUnit() {
      return perUnit ? UNIT_OF_WORK : "ns a call";
    }
  }

  /**
   * Concludes.
   *
   * @param noEffect why the same code ran on both sides, or empty when it may not have
   */
  public static Experiment of(Session session, Setting setting, String noEffect) {
    Rule.Finding finding = session.finding();
    double threshold = session.question().threshold();
    Sides deciding = session.deciding();
    List<Sides> metrics = session.metrics();
    List<Sides> all = new ArrayList<>(metrics);
    all.addAll(session.scopes(setting.scopeUnit()));
    Set<String> names = new LinkedHashSet<>();
    metrics.forEach(each -> names.add(each.name()));
    List<Comparison> others = new ArrayList<>();
    List<Comparison> scopes = new ArrayList<>();
    Comparison decided = null;
    for (Comparison each : Comparison.of(all, threshold)) {
      if (!names.remove(each.metric())) scopes.add(each);
      else if (deciding != null && each.metric().equals(deciding.name())) decided = each;
      else others.add(each);
    }
    scopes.sort(Comparator.comparingDouble(Comparison::q).thenComparing(e -> -growth(e)));
    Verdict verdict = noEffect.isEmpty() ? finding.verdict() : Verdict.NO_EFFECT;
    return new Experiment(
        setting,
        session.design(),
        session.question().seed(),
        session.question().budgetSeconds(),
        session.took(),
        session.schedule().seconds(),
        session.schedule().roundSeconds(),
        session.trials(),
        session.pairs(),
        session.plannedPairs(),
        session.firstBlock(),
        session.schedule().repeated(),
        session.disturbed(),
        session.stopped(),
        finding,
        verdict,
        noEffect.isEmpty() ? finding.why() : noEffect,
        decided,
        List.copyOf(others),
        List.copyOf(scopes),
        responsible(verdict, scopes, setting.perUnit()),
        gates(session.trials()));
  }

  /** The largest change among those that point where the verdict does. */
  private static Comparison responsible(Verdict verdict, List<Comparison> scopes, boolean perUnit) {
    if (verdict != Verdict.FASTER && verdict != Verdict.SLOWER) return null;
    return scopes.stream()
        .filter(scope -> scope.verdict() == verdict)
        .max(
            Comparator.comparingDouble(
                scope -> perUnit ? growth(scope) : Math.abs(scope.ratio().estimate())))
        .orElse(null);
  }

  private static double growth(Comparison scope) {
    return Math.abs(Median.of(scope.b()) - Median.of(scope.a()));
  }

  private static List<Gate> gates(List<Trial<Arm>> trials) {
    List<Trial<Arm>> a = trials.stream().filter(t -> t.counts() && !t.arm().isB()).toList();
    List<Trial<Arm>> b = trials.stream().filter(t -> t.counts() && t.arm().isB()).toList();
    List<Gate> gates = new ArrayList<>();
    if (a.isEmpty() || b.isEmpty()) return gates;
    if (!a.getFirst().reading().digest().isEmpty()) gates.add(Gate.output(digests(a), digests(b)));
    for (String name : a.getFirst().reading().amounts().keySet()) {
      double[] left = amounts(a, name);
      double[] right = amounts(b, name);
      if (left.length > 0 && right.length > 0) gates.add(Gate.amount(name, left, right));
    }
    return gates;
  }

  private static String[] digests(List<Trial<Arm>> trials) {
    return trials.stream().map(trial -> trial.reading().digest()).toArray(String[]::new);
  }

  private static double[] amounts(List<Trial<Arm>> trials, String name) {
    return trials.stream()
        .map(trial -> trial.reading().amounts().get(name))
        .filter(amount -> amount != null)
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  /** Sides of which trials failed, in words. */
  public List<String> failures() {
    return Failures.of(trials).stream().map(Failures::words).toList();
  }

  /** What must be known before any speed: failures, and outputs that differ. */
  List<String> warnings() {
    List<String> all = new ArrayList<>(failures());
    // What computes something else is not faster, whatever its times say.
    if (outputsDiffer()) all.add("The outputs differ: this is not the same work");
    return all;
  }

  /** What was unsteady, in words: sides of two speeds, a machine that drifted. */
  List<String> unsteadiness() {
    return Unsteadiness.of(deciding, trials, design.threshold());
  }

  /** The change of the metric that decides, with the interval that its verdict rests on. */
  public Interval decidingRatio() {
    Interval effect = finding.effect();
    return deciding.better() == Better.LOWER ? effect.negated() : effect;
  }

  /** Whether the sides computed something else, which comes before any speed. */
  public boolean outputsDiffer() {
    return gates.stream()
        .anyMatch(gate -> gate.isOutput() && (gate.failed() || gate.result() == Gate.Result.FEW));
  }

  /** Whether it should not pass: slower, an exact gate is closed, or trials failed. */
  public boolean regressed() {
    return verdict == Verdict.SLOWER
        || gates.stream().anyMatch(Gate::failed)
        || trials.stream().anyMatch(Trial::failed);
  }

  /** About how long it would have to go on to decide; infinite where no time would do. */
  public double secondsToDecide() {
    int more = finding.morePairs();
    return more < 0 ? Double.POSITIVE_INFINITY : more * tripletSeconds;
  }
}
