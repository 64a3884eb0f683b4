package dev.ridgeline.report.run;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.Doubts;
import dev.ridgeline.report.Finding;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.Findings;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.Report.Fact;
import dev.ridgeline.report.Report.Figure;
import dev.ridgeline.report.Report.Headline;
import dev.ridgeline.report.roofline.Bounds;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/**
 * Puts a report together from what a run directory holds, so that any format can be drawn later.
 */
public final class RunReport {
  private static final int FIGURES = 10;

  /** Of which a spread tells something, and the least that is worth telling. */
  private static final int FEWEST_SAMPLES = 3;

  private static final double LEAST_SPREAD = 0.005;

  /** Older ceilings are told to be. */
  private static final int FRESH_DAYS = 7;

  private static final Set<String> BYTES = Set.of("B", "bytes");
  private static final Set<String> TIMES = Set.of("s", "ms", "µs", "ns");

  /** Conditions that a finding tells already. */
  private static final Set<String> FOUND = Set.of(Run.SLOW_PATH, Run.WAY_OUT, Run.WAY_OUT_WINS);

  private RunReport() {}

  /** The report of a run and its profile. */
  public static Report of(Run run, Profile profile) {
    CallTree tree = profile.tree();
    CallTree folded = tree.folded(profile);
    Bounds bounds = Bounds.of(profile, tree, run.ceilings());
    List<Finding> findings = new ArrayList<>(unreadOptions(run));
    String cold = run.conditions().get(Run.COLD);
    if (cold != null) {
      String advice = "stop other programs, or warm up longer, and run again";
      findings.add(new Finding("unstable-warm-up", Severity.DOUBTFUL, cold, advice, "", ""));
    }
    String slow = run.conditions().get(Run.SLOW_PATH);
    if (slow != null) {
      String wayOut = run.conditions().getOrDefault(Run.WAY_OUT, "");
      String wins = run.conditions().getOrDefault(Run.WAY_OUT_WINS, "");
      findings.add(new Finding("slow-path", Severity.OPPORTUNITY, slow, wayOut, wins, ""));
    }
    // What every layer shares is one finding, not one for each.
    Bounds once = bounds.folded(profile, tree, folded);
    List<Finding> found = Findings.of(profile, folded, once, Again.proof(run));
    findings.addAll(Choices.of(run, found, once, tree.root().correctedTotalNanos()));
    // What is unsound comes first, whoever found it.
    findings.sort(Comparator.comparing(Finding::severity));
    return new Report(
        headline(run, profile, tree, bounds, Doubts.of(findings, profile)),
        system(run.machine()),
        workload(run),
        profile,
        tree,
        findings,
        run.series(),
        bounds);
  }

  private static Headline headline(
      Run run, Profile profile, CallTree tree, Bounds bounds, Doubts doubts) {
    List<Figure> figures = new ArrayList<>();
    run.metrics().stream()
        .filter(metric -> !partOfAnother(metric, run.metrics()))
        .limit(FIGURES)
        .map(metric -> figure(metric, doubt(metric, run, doubts)))
        .forEach(figures::add);
    SpeedOfLight light = SpeedOfLight.of(run, profile, tree, bounds);
    if (light != null) {
      String allowed = Quantity.number(light.allowed());
      figures.add(
          1,
          new Figure(
              Quantity.fixed(100 * light.reached(), 0) + " %",
              "of the " + allowed + " this machine allows",
              both(doubts.brief(), doubt(run))));
    }
    return new Headline(run.title().isEmpty() ? run.name() : run.title(), subtitle(run), figures);
  }

  /** {@code load, map} next to {@code load}: for who asks, not for the first screen. */
  private static boolean partOfAnother(Metric metric, List<Metric> all) {
    return all.stream().anyMatch(other -> metric.name().startsWith(other.name() + ", "));
  }

  /** {@code … · measured today: f32 231 GFLOP/s, DRAM 41 GB/s (busy machine)}. */
  private static String subtitle(Run run) {
    Ceilings ceilings = run.ceilings();
    if (!ceilings.isKnown()) return run.machine().line();
    List<String> all = new ArrayList<>();
    for (Ceilings.Compute each : ceilings.fastest()) {
      String name = each.kind().numbers();
      all.add(ceiling(name, each.all(), each.kind().unit(), run));
    }
    ceilings
        .memory(Level.DRAM)
        .ifPresent(dram -> all.add(ceiling("DRAM", dram.all().read(), "GB/s", run)));
    String when = day(ceilings.measured());
    return "%s · measured %s: %s"
        .formatted(
            run.machine().line(),
            when.equals(day(run.started())) ? "today" : when,
            String.join(", ", all));
  }

  private static String ceiling(String name, Rate rate, String unit, Run run) {
    String doubt = doubt(rate, run);
    return "%s %s %s%s"
        .formatted(
            name,
            Quantity.number(rate.typical() / 1e9),
            unit,
            doubt.isEmpty() ? "" : " (" + doubt + ")");
  }

  /** Why a ceiling may be another by now, or may always have been. */
  private static String doubt(Rate rate, Run run) {
    long days = Duration.between(run.ceilings().measured(rate), run.started()).toDays();
    String old = days > FRESH_DAYS ? Quantity.many(days, "day") + " old" : "";
    return both(old, rate.disturbed() ? "busy machine" : "");
  }

  /** The same of all ceilings together, for what is compared with them. */
  private static String doubt(Run run) {
    Ceilings ceilings = run.ceilings();
    long days = Duration.between(ceilings.measured(), run.started()).toDays();
    String old = days > FRESH_DAYS ? "ceilings " + Quantity.many(days, "day") + " old" : "";
    return both(old, ceilings.disturbed() ? "ceilings of a busy machine" : "");
  }

  private static String both(String one, String other) {
    return one.isEmpty() || other.isEmpty() ? one + other : one + "; " + other;
  }

  private static String day(Instant moment) {
    String text = moment.toString();
    return text.substring(0, text.indexOf('T'));
  }

  /** In full once; a single time, of a text alone say, is not of the phase that is profiled. */
  private static String doubt(Metric metric, Run run, Doubts doubts) {
    if (metric == run.metrics().getFirst()) return doubts.full();
    boolean phase = metric.unit().endsWith("/s") || metric.samples().size() > 1;
    return phase ? doubts.brief() : doubts.anyNoise();
  }

  private static Figure figure(Metric metric, String doubt) {
    int samples = metric.samples().size();
    String label = samples == 1 ? metric.name() : metric.name() + ", median of " + samples;
    if (!isTime(metric)) return new Figure(value(metric), label);
    double spread = samples < FEWEST_SAMPLES ? 0 : metric.spread();
    String value = value(metric);
    if (spread >= LEAST_SPREAD) value += " ±" + Quantity.fixed(100 * spread, 0) + " %";
    return new Figure(value, label, doubt);
  }

  /** Whether it is a time or a rate, which what else a machine does makes worse. */
  private static boolean isTime(Metric metric) {
    return metric.unit().endsWith("/s") || TIMES.contains(metric.unit());
  }

  private static String value(Metric metric) {
    double median = metric.median();
    // Less than half a byte for each is what the measurement itself allocated.
    if (BYTES.contains(metric.unit()) && Math.abs(median) < 0.5) median = 0;
    boolean count = metric.better() == Metric.Better.NEITHER && median == Math.rint(median);
    String number = count ? Quantity.fixed(median, 0) : Quantity.number(median);
    return (number + " " + metric.unit()).strip();
  }

  private static List<Fact> system(Machine machine) {
    List<Fact> facts = new ArrayList<>();
    String inside = machine.microarchitecture();
    add(facts, "processor", inside.isEmpty() ? machine.cpu() : machine.cpu() + " (" + inside + ")");
    known(facts, "cores", machine.cores(), cores -> Quantity.count((long) cores));
    known(facts, "memory", machine.memoryBytes(), Quantity::bytes);
    known(facts, "container's CPUs", machine.limits().cpus(), Quantity::number);
    known(facts, "container's memory", machine.limits().memoryBytes(), Quantity::bytes);
    add(facts, "system", machine.os());
    add(facts, "JVM", (machine.jvm().name() + " " + machine.jvm().version()).strip());
    if (!machine.jvm().jit().isEmpty()) {
      add(facts, "JIT and GC", machine.jvm().jit() + ", " + machine.jvm().gc());
    }
    add(facts, "JVM flags", String.join(" ", machine.jvm().flags()));
    return facts;
  }

  private static List<Fact> workload(Run run) {
    List<Fact> facts = new ArrayList<>();
    add(facts, "command", Again.line(run.command()));
    add(facts, "started", run.started().toString());
    add(facts, "revision", run.revision());
    run.workload().forEach((name, value) -> add(facts, name, value));
    run.plan().forEach((name, value) -> add(facts, "ran " + name, value));
    run.conditions()
        .forEach((name, value) -> add(facts, "ran " + name, FOUND.contains(name) ? "" : value));
    for (Metric metric : run.metrics()) add(facts, metric.name(), value(metric));
    add(facts, "output", run.outputDigest());
    add(
        facts,
        "options",
        run.options().stream()
            .filter(Run.Option::given)
            .map(option -> option.name() + " " + option.value())
            .collect(Collectors.joining(", ")));
    return facts;
  }

  private static void known(
      List<Fact> facts, String name, double value, DoubleFunction<String> text) {
    if (value != Machine.UNKNOWN) facts.add(new Fact(name, text.apply(value)));
  }

  private static void add(List<Fact> facts, String name, String value) {
    if (!value.isEmpty()) facts.add(new Fact(name, value));
  }

  /** An option that nothing read changed nothing, whatever the times say. */
  private static List<Finding> unreadOptions(Run run) {
    return run.options().stream()
        .filter(option -> option.given() && !option.read())
        .map(
            option ->
                new Finding(
                    "unread-option",
                    Severity.UNSOUND,
                    "%s %s was given, but nothing read it".formatted(option.name(), option.value()),
                    "leave it out: it did not change this run",
                    "",
                    ""))
        .toList();
  }
}
