package dev.ridgeline.report.run;

import dev.ridgeline.report.Finding;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.roofline.Bound;
import dev.ridgeline.report.roofline.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * What somebody can do about a run of the engine who does not change its code: other values of the
 * options that it was given or had by default, each with the command that compares them.
 */
final class Choices {
  /** Rules whose advice is for whoever can change the code. */
  private static final Set<String> IN_THE_CODE =
      Set.of(
          "bottleneck",
          "dominant-scope",
          "deep-self-time",
          "high-variance",
          "many-short-calls",
          "beside-the-work",
          "lock-contention",
          "sleep",
          "io",
          "allocation-in-hot-scope",
          "allocation-in-kernel",
          "boxing",
          "deoptimization-storm",
          "imbalance",
          "idle-region");

  private static final Set<String> IDLE = Set.of("imbalance", "idle-region");

  /** Of the thread time; less is not worth a command. */
  private static final double WORTH = 0.02;

  private static final List<String> MODEL = List.of("-m", "--model");

  /** Bits of a number in what the option names, and in what it could name instead. */
  private static final String HALVES = "f16|bf16";

  private static final double SMALL_BITS = 8.5;

  private final Run run;
  private final List<Finding> found;
  private final Bounds bounds;
  private final double threadNanos;

  private Choices(Run run, List<Finding> found, Bounds bounds, double threadNanos) {
    this.run = run;
    this.found = found;
    this.bounds = bounds;
    this.threadNanos = threadNanos;
  }

  /** Findings of a run for whoever reads them: a program that is not the engine is their own. */
  static List<Finding> of(Run run, List<Finding> found, Bounds bounds, double threadNanos) {
    if (Again.work(run).isEmpty()) return found;
    Choices choices = new Choices(run, found, bounds, threadNanos);
    List<Finding> all = new ArrayList<>();
    choices.unusedCores(all);
    choices.untuned(all);
    choices.wideNumbers(all);
    choices.idleThreads(all);
    for (Finding one : found) all.add(isInTheCode(one) ? inTheCode(one) : one);
    return all;
  }

  private static boolean isInTheCode(Finding one) {
    return one.severity() == Severity.OPPORTUNITY && IN_THE_CODE.contains(one.rule());
  }

  private static Finding inTheCode(Finding one) {
    return new Finding(
        one.rule(), Severity.CODE, one.what(), one.advice(), one.win(), one.command());
  }

  /** Fewer workers than the machine has cores. */
  private void unusedCores(List<Finding> all) {
    String workers = run.plan().getOrDefault("workers", "");
    double limit = run.machine().limits().cpus();
    int cores = run.machine().cores();
    if (limit != Machine.UNKNOWN) cores = (int) Math.min(cores, Math.max(1, limit));
    if (!workers.matches("\\d{1,6}") || Integer.parseInt(workers) >= cores) return;
    String what = "%s of %d cores worked".formatted(workers, cores);
    String win = "up to " + Quantity.number(cores / Double.parseDouble(workers)) + " ×";
    String command = Again.against(run, List.of("--workers"), Integer.toString(cores));
    all.add(opportunity("unused-cores", what, "let all of them work", win, command));
  }

  /** Products are far from their ceiling, and nobody has looked what suits this machine. */
  private void untuned(List<Finding> all) {
    if (!run.plan().getOrDefault("tiles", "").startsWith("defaults")) return;
    double nanos = sum(Bound::isComputeBound, Bound::nanos);
    double ideal = nanos - sum(Bound::isComputeBound, Bound::toWinNanos);
    if (nanos - ideal < WORTH * threadNanos) return;
    String what =
        "scopes that compute reach %s %% of what this machine allows, with the default tiles"
            .formatted(Quantity.fixed(100 * ideal / nanos, 0));
    String model = value(MODEL);
    String command = "ridgeline tune" + (model.isEmpty() ? "" : " -m " + Again.quoted(model));
    String advice = "let this machine try others; results stay the same to the bit";
    all.add(opportunity("untuned", what, advice, "a part of " + win(nanos - ideal), command));
  }

  /** Bytes from memory take the time, and they could be half as many. */
  private void wideNumbers(List<Finding> all) {
    String model = value(MODEL);
    String type = model.replaceFirst(".*:", "");
    double bits = type.matches(HALVES) ? 16 : type.equals("f32") ? 32 : 0;
    double nanos = sum(bound -> bound.limitedBy().equals("DRAM"), Bound::nanos);
    double win = nanos * (1 - SMALL_BITS / bits);
    if (bits == 0 || !model.contains(":") || win < WORTH * threadNanos) return;
    String smaller = model.substring(0, model.length() - type.length()) + "q8_0";
    String what =
        "%s of the thread time waits for bytes of %s from DRAM"
            .formatted(Quantity.percent(nanos / threadNanos), type);
    String advice = "take a type of 8 bits; results differ a little";
    String command = Again.against(run, MODEL, smaller);
    all.add(opportunity("wide-numbers", what, advice, "up to " + win(win), command));
  }

  /** Threads stand idle under a strategy or a batch that another value may suit better. */
  private void idleThreads(List<Finding> all) {
    Finding idle = found.stream().filter(one -> IDLE.contains(one.rule())).findFirst().orElse(null);
    if (idle == null) return;
    String strategy = value(List.of("--strategy"));
    String batch = run.plan().getOrDefault("batch", "");
    if (isGiven("--strategy") && !strategy.equals("auto")) {
      String advice = "leave out --strategy " + strategy + ", or compare it with auto";
      String command = Again.against(run, List.of("--strategy"), "auto");
      all.add(opportunity("strategy", idle.what(), advice, idle.win() + " at most", command));
    } else if (idle.rule().equals("idle-region") && batch.matches("\\d{1,6}")) {
      String twice = Integer.toString(2 * Integer.parseInt(batch));
      String command = Again.against(run, List.of("--batch"), twice);
      String advice = "give threads more at once: try --batch " + twice;
      all.add(opportunity("small-batch", idle.what(), advice, idle.win() + " at most", command));
    }
  }

  private static Finding opportunity(
      String rule, String what, String advice, String win, String command) {
    return new Finding(rule, Severity.OPPORTUNITY, what, advice, win, command);
  }

  private double sum(Predicate<Bound> which, ToDoubleFunction<Bound> value) {
    return bounds.speakers().stream()
        .map(bounds::of)
        .filter(bound -> bound != null && which.test(bound))
        .mapToDouble(value)
        .sum();
  }

  private String win(double nanos) {
    String share = Quantity.percent(nanos / threadNanos);
    return "~%s (%s of thread time)".formatted(Quantity.time(nanos), share);
  }

  private String value(List<String> names) {
    return run.options().stream()
        .filter(option -> names.contains(option.name()))
        .map(Run.Option::value)
        .findFirst()
        .orElse("");
  }

  private boolean isGiven(String name) {
    return run.options().stream().anyMatch(one -> one.name().equals(name) && one.given());
  }
}
