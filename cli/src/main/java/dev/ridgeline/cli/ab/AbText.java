package dev.ridgeline.cli.ab;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.Session;
import dev.ridgeline.lab.trial.Trial;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.lab.verdict.Sides;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An experiment for people: the answer first, then what it rests on. */
final class AbText {
  /** Scopes that are shown at most. */
  private static final int SCOPES = 8;

  private AbText() {}

  static List<String> lines(Experiment it, String record) {
    List<String> lines = new ArrayList<>();
    // What computes something else is not faster, whatever its times say.
    for (Gate gate : it.gates()) {
      if (gate.name().equals("output") && gate.failed()) {
        lines.add("The outputs differ: A has %s, B has %s".formatted(gate.a(), gate.b()));
        lines.add("");
      }
    }
    lines.add("%s%s".formatted(it.verdict().word(), answer(it)));
    lines.add("");
    line(lines, "Asked", asked(it));
    line(lines, "Why", why(it));
    line(lines, "Rests", rests(it));
    if (it.responsible() != null) line(lines, "Where", where(it));
    gates(it, lines);
    metrics(it, lines);
    scopes(it, lines);
    lines.add("");
    line(lines, "Record", record + "/experiment.json");
    return lines;
  }

  private static void line(List<String> lines, String name, String text) {
    lines.add("  %-8s%s".formatted(name, text));
  }

  /** {@code : B is 0.92x as fast as A, …}. */
  static String answer(Experiment it) {
    if (it.deciding() == null) return "";
    Interval ratio = it.decidingRatio();
    String speed = "%.2fx".formatted(Math.exp(it.finding().effect().estimate()));
    return ": B is %s as fast as A · %s %s, %s is better"
        .formatted(
            speed,
            it.deciding().metric(),
            change(ratio),
            it.deciding().better().name().toLowerCase(Locale.ROOT));
  }

  static String asked(Experiment it) {
    Experiment.Setting setting = it.setting();
    String what = setting.workload().isEmpty() ? "" : setting.workload() + " · ";
    return "%sA %s · B %s".formatted(what, setting.a(), setting.b());
  }

  static String why(Experiment it) {
    if (it.verdict() == Verdict.NO_EFFECT) {
      return it.why() + ": the same code ran on both sides, and the times are beside the point";
    }
    if (it.verdict() != Verdict.INCONCLUSIVE) return it.why();
    double seconds = it.secondsToDecide();
    String more =
        seconds == Double.POSITIVE_INFINITY
            ? "no reasonable number of pairs would decide it"
            : "about %s would decide: --budget %s"
                .formatted(
                    Quantity.many(it.finding().morePairs(), "more pair"),
                    budget(it.tookSeconds() + seconds));
    return it.why() + "; " + more;
  }

  /** Rounded up to what one would type. */
  private static String budget(double seconds) {
    return seconds <= 90
        ? "%ds".formatted((int) Math.ceil(seconds))
        : "%dm".formatted((int) Math.ceil(seconds / 60));
  }

  static String rests(Experiment it) {
    List<String> words = new ArrayList<>();
    words.add("threshold " + part(it.design().threshold()));
    words.add("noise floor " + logPart(it.finding().floor()));
    words.add("smallest provable change " + logPart(it.finding().detectable()));
    String blocks = it.firstBlock() < 0 ? "" : " in 2 blocks";
    words.add(Quantity.many(it.pairs(), "pair") + blocks);
    if (it.repeated() > 0) words.add(Quantity.many(it.repeated(), "trial") + " repeated");
    if (it.disturbed() > 0) words.add(it.disturbed() + " disturbed");
    words.add(Quantity.left(it.tookSeconds()) + (it.stopped() ? ", stopped" : ""));
    return String.join(" · ", words);
  }

  private static String where(Experiment it) {
    Comparison scope = it.responsible();
    return "%s: %s (%s to %s of self time, %s)"
        .formatted(
            scope.metric(),
            change(scope.ratio()),
            Quantity.time(Median.of(scope.a())),
            Quantity.time(Median.of(scope.b())),
            it.setting().perUnit() ? "a unit of work" : "a call");
  }

  private static void gates(Experiment it, List<String> lines) {
    List<String> same = new ArrayList<>();
    for (Gate gate : it.gates()) {
      switch (gate.result()) {
        case SAME -> same.add(gate.name());
        case WORSE ->
            line(lines, "Exact", "%s: A %s, B %s".formatted(gate.name(), gate.a(), gate.b()));
        case LESS ->
            line(lines, "Exact", "%s: less, A %s, B %s".formatted(gate.name(), gate.a(), gate.b()));
        case VARIES ->
            line(
                lines,
                "Exact",
                "%s: varies from trial to trial, A %s, B %s"
                    .formatted(gate.name(), gate.a(), gate.b()));
      }
    }
    if (!same.isEmpty()) line(lines, "Exact", "the same: " + String.join(", ", same));
  }

  private static void metrics(Experiment it, List<String> lines) {
    List<Comparison> all = new ArrayList<>();
    if (it.deciding() != null) all.add(it.deciding());
    all.addAll(it.metrics());
    if (!all.isEmpty()) table(lines, "metric", all);
  }

  private static void scopes(Experiment it, List<String> lines) {
    List<Comparison> changed =
        it.scopes().stream()
            .filter(s -> s.verdict() == Verdict.FASTER || s.verdict() == Verdict.SLOWER)
            .limit(SCOPES)
            .toList();
    if (!changed.isEmpty())
      table(lines, "self time of scopes, " + it.setting().scopeUnit(), changed);
  }

  private static void table(List<String> lines, String title, List<Comparison> rows) {
    int name = title.length();
    for (Comparison row : rows) name = Math.max(name, row.metric().length());
    lines.add("");
    lines.add(
        "  %s  %9s  %9s  %-27s  %6s"
            .formatted(pad(title, name), "A", "B", "change", "q")
            .stripTrailing());
    for (Comparison row : rows) {
      lines.add(
          "  %s  %9s  %9s  %-27s  %6s  %s"
              .formatted(
                  pad(row.metric(), name),
                  Quantity.number(Median.of(row.a())),
                  Quantity.number(Median.of(row.b())),
                  change(row.ratio()),
                  "%.3f".formatted(row.q()),
                  row.verdict().word()));
    }
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /** {@code −8.3 % (−10.1 to −6.5)}. */
  static String change(Interval ratio) {
    String middle = signed(Math.expm1(ratio.estimate())) + " %";
    if (!ratio.bounded()) return middle;
    return "%s (%s to %s)"
        .formatted(middle, signed(Math.expm1(ratio.low())), signed(Math.expm1(ratio.high())));
  }

  private static String signed(double fraction) {
    return String.format(Locale.ROOT, "%+.1f", 100 * fraction).replace('-', '−');
  }

  private static String part(double fraction) {
    return Quantity.number(100 * fraction) + " %";
  }

  private static String logPart(double log) {
    return Double.isFinite(log) ? "%.1f %%".formatted(100 * Math.expm1(log)) : "unknown";
  }

  /** {@code 7 of 24 pairs · −8.1 % … · B · 73 s left}. */
  static String progress(Session session, Arm arm) {
    List<String> words = new ArrayList<>();
    if (session.design() == null) {
      words.add("trying " + arm.word());
    } else {
      words.add("%d of at most %d pairs".formatted(session.pairs(), session.design().pairs()));
      Sides sides = session.deciding();
      if (sides != null && sides.hasRatios()) {
        words.add("so far " + change(HodgesLehmann.of(sides.changes(), 0.5)));
      }
      long busy =
          session.trials().stream().map(Trial::disturbance).filter(d -> d.tooMuch()).count();
      if (busy > 0) words.add(busy + " disturbed");
    }
    words.add(Quantity.left(Math.max(0, session.left())) + " left");
    return String.join(" · ", words);
  }
}
