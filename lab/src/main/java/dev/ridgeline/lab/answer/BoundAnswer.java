package dev.ridgeline.lab.answer;

import dev.ridgeline.lab.bound.Bound;
import dev.ridgeline.lab.bound.Bound.Found;
import dev.ridgeline.lab.bound.Operation;
import dev.ridgeline.lab.bound.Part;
import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.sweep.Sweep;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an operation waits for, by its parts. */
public final class BoundAnswer {
  private final Outcome outcome;
  private final String time;
  private final double margin;

  /** Whether there was time for more rounds. */
  private final boolean hasTime;

  private final Bound bound;

  /**
   * @param time the metric that decides
   * @param margin within which times are about the same
   */
  public BoundAnswer(Sweep sweep, String time, double margin) {
    this(sweep.outcome(), time, margin, sweep.left() > sweep.schedule().roundSeconds());
  }

  BoundAnswer(Outcome outcome, String time, double margin, boolean hasTime) {
    this.outcome = outcome;
    this.time = time;
    this.margin = margin;
    this.hasTime = hasTime;
    this.bound = bound();
  }

  /**
   * @param beyond whether its data comes from memory
   */
  public Answer answer(Operation operation, boolean beyond) {
    List<String> warnings = new ArrayList<>();
    if (bound.contradicts()) {
      warnings.add(
          "a part alone took longer than all of it: something else had the machine, or the part"
              + " is measured badly here");
    } else if (bound.found() == Found.UNDECIDED && bound.sum().bounded()) {
      warnings.add(
          "an interval lies across the margin of %s: %s makes it narrower"
              .formatted(
                  Quantity.percent(margin), hasTime ? "a smaller --threshold" : "more --budget"));
    }
    List<Fact> facts = new ArrayList<>();
    facts.add(
        new Fact(
            "Rule",
            "about as long as all of it is a part whose whole interval is above %sx"
                .formatted(Quantity.number(1 / (1 + margin)))));
    facts.add(
        new Fact(
            "Both",
            "reading and arithmetic added up: %s of all".formatted(StudyText.times(bound.sum()))));
    String copies = outcome.plans().getOrDefault(Part.FULL.word(), Map.of()).get("copies");
    if (beyond && copies != null && !copies.equals("1")) {
      facts.add(new Fact("Copies", copies + " take turns, so that no cache holds the next one"));
    }
    return new Answer(
        headline(operation), facts, warnings, List.of(table()), List.of(chart(operation)));
  }

  /** Times of the rounds that have all parts. */
  private Bound bound() {
    double[][] all = times(Part.READ, Part.COMPUTE, Part.FULL);
    return Bound.of(all[0], all[1], all[2], margin);
  }

  private double[][] times(Part... parts) {
    return Outcome.together(
        Arrays.stream(parts).map(part -> outcome.byRound(part.word(), time)).toList());
  }

  private String headline(Operation operation) {
    String evidence =
        "reading alone takes %s of its time, arithmetic alone %s"
            .formatted(StudyText.times(bound.read()), StudyText.times(bound.compute()));
    return bound.found() == Found.UNDECIDED
        ? "%s: not decided whether memory or arithmetic; %s".formatted(operation, evidence)
        : "%s is %s: %s".formatted(operation, bound.found().words(), evidence);
  }

  private Table table() {
    List<List<String>> rows = new ArrayList<>();
    for (Part part : Part.values()) {
      Interval ratio =
          switch (part) {
            case READ -> bound.read();
            case COMPUTE -> bound.compute();
            case FULL -> Interval.exactly(0);
          };
      rows.add(
          List.of(
              part.word(),
              StudyText.level(outcome.level(part.word(), time)),
              StudyText.times(ratio),
              rate(part, "moved"),
              rate(part, "computed")));
    }
    return new Table("", List.of("part", "time, µs", "of all", "GB/s", "GFLOP/s"), rows);
  }

  private String rate(Part part, String metric) {
    double median = outcome.median(part.word(), metric);
    return Double.isNaN(median) ? "–" : Quantity.number(median);
  }

  /** Reading and arithmetic added up, round by round. */
  private Interval both() {
    double[][] parts = times(Part.READ, Part.COMPUTE);
    double[] sums = new double[parts[0].length];
    Arrays.setAll(sums, i -> parts[0][i] + parts[1][i]);
    return HodgesLehmann.of(sums, Outcome.CONFIDENCE);
  }

  Chart chart(Operation operation) {
    Map<String, Interval> times = new LinkedHashMap<>();
    for (Part part : Part.values()) times.put(part.word(), outcome.level(part.word(), time));
    times.put("both added up", both());
    return Chart.ofNames(
        operation + ", time of one",
        "µs",
        Chart.Series.ofNames("time", times.keySet(), name -> name, times::get));
  }
}
