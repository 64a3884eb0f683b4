package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.bisect.Step.Outcome;
import dev.ridgeline.lab.page.Page;
import dev.ridgeline.lab.page.Svg;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The commits in order, from the good end to the bad one, and how far each that was tried is from
 * the good one.
 */
final class CommitsPlot {
  private static final double WIDTH = 1000;
  private static final double HEIGHT = 320;
  private static final double LEFT = 70;
  private static final double RIGHT = 30;
  private static final double TOP = 20;
  private static final double BOTTOM = 40;

  /** Letters of a hash below its commit, and the room that they need. */
  private static final int SHORT = 7;

  private static final double NAME = 60;

  private final Bisection it;
  private final double low;
  private final double high;
  private final Svg svg = new Svg(WIDTH, HEIGHT);

  private CommitsPlot(Bisection it) {
    this.it = it;
    double least = 0;
    double most = 0;
    Interval ends = it.ends().decidingRatio();
    for (double each : new double[] {ends.estimate(), bound(ends.low()), bound(ends.high())}) {
      least = Math.min(least, each);
      most = Math.max(most, each);
    }
    for (Step step : it.steps()) {
      if (step.rounds() == 0) continue;
      least = Math.min(least, Math.min(step.change().estimate(), bound(step.change().low())));
      most = Math.max(most, Math.max(step.change().estimate(), bound(step.change().high())));
    }
    double room = Math.max(0.12 * (most - least), 0.005);
    this.low = least - room;
    this.high = most + room;
  }

  private static double bound(double value) {
    return Double.isFinite(value) ? value : 0;
  }

  /** The plot under its heading. */
  static String of(Bisection it) {
    return new CommitsPlot(it).draw();
  }

  private String draw() {
    suspects();
    for (double change : ticks()) {
      double y = y(Math.log1p(change));
      svg.line(change == 0 ? "zero" : "axis", LEFT, y, WIDTH - RIGHT, y);
      svg.text(LEFT - 8, y + 4, "end", change == 0 ? "0 %" : Quantity.change(change));
    }
    if (!it.steps().isEmpty()) halfway();
    end(-1, new Interval(0, 0, 0, 1), it.question().good(), "good");
    end(it.commits().size() - 1, it.ends().decidingRatio(), it.question().bad(), "bad");
    for (Step step : it.steps()) step(step);
    names();
    String all = Quantity.many(it.commits().size(), "commit");
    svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "middle", all + ", the eldest first");
    return """
    <h2>Commits</h2>
    <p class="legend">%s</p>
    """
            .formatted(Page.escape(legend()))
        + svg;
  }

  /** Of what there is, and of nothing else. */
  private String legend() {
    StringBuilder words = new StringBuilder(it.ends().deciding().metric());
    words.append(" against the good end, with 95 % intervals: blue is ");
    boolean steps = !it.steps().isEmpty();
    words.append(steps ? "like the good end, red like the bad one." : "the good end, red the bad.");
    if (it.steps().stream().anyMatch(s -> s.rounds() > 0 && s.outcome() == Outcome.UNDECIDED)) {
      words.append(" Rings stayed undecided.");
    }
    if (it.steps().stream().anyMatch(step -> step.rounds() == 0)) {
      words.append(" A mark below is a commit that does not run.");
    }
    if (hasBand()) {
      boolean found = it.commit() != null;
      words.append(found ? " The band is where it changed." : " The band is suspected still.");
    }
    return words.toString();
  }

  /** What a step is decided by; only up to the bad end, whose own interval may lie across. */
  private void halfway() {
    double y = y(it.ends().decidingRatio().estimate() / 2);
    svg.line("block", LEFT, y, x(it.commits().size() - 1) - width() / 2, y);
    svg.text(LEFT + 5, y - 5, "start", "halfway between the ends");
  }

  /** Below each commit that was measured, as far as there is room: first ends and what is left. */
  private void names() {
    Map<Integer, Commit> wanted = new LinkedHashMap<>();
    wanted.put(-1, it.question().good());
    wanted.put(it.commits().size() - 1, it.question().bad());
    if (it.left().size() == 1) name(wanted, it.left().getFirst());
    for (Step step : it.steps()) name(wanted, step.commit());
    List<Double> taken = new ArrayList<>();
    wanted.forEach(
        (place, commit) -> {
          double x = x(place);
          if (taken.stream().anyMatch(other -> Math.abs(other - x) < NAME)) return;
          taken.add(x);
          String name = commit.name().substring(0, Math.min(SHORT, commit.name().length()));
          svg.text(x, HEIGHT - 22, "middle", name);
        });
  }

  private void name(Map<Integer, Commit> wanted, Commit commit) {
    wanted.putIfAbsent(it.commits().indexOf(commit), commit);
  }

  private boolean hasBand() {
    return !it.left().isEmpty() && it.left().size() < it.commits().size();
  }

  private void suspects() {
    if (!hasBand()) return;
    for (Commit each : it.left()) {
      double x = x(it.commits().indexOf(each));
      svg.rectangle("band", x - width() / 2, TOP, Math.max(1, width()), HEIGHT - TOP - BOTTOM);
    }
  }

  private void end(int place, Interval change, Commit commit, String word) {
    if (change.bounded() && change.high() > change.low()) {
      svg.whisker(x(place), y(change.low()), y(change.high()));
    }
    dot(word, place, change.estimate(), commit, word + " end");
  }

  private void step(Step step) {
    int place = it.commits().indexOf(step.commit());
    if (step.rounds() == 0) {
      svg.line("whisker", x(place), HEIGHT - BOTTOM - 8, x(place), HEIGHT - BOTTOM);
      svg.dot("again", x(place), HEIGHT - BOTTOM - 11, 3, step.commit().title() + ": skipped");
      return;
    }
    Interval change = step.change();
    if (change.bounded()) svg.whisker(x(place), y(change.low()), y(change.high()));
    String style =
        switch (step.outcome()) {
          case GOOD -> "good";
          case BAD -> "bad";
          case UNDECIDED, UNUSABLE -> "again";
        };
    dot(style, place, change.estimate(), step.commit(), step.outcome().word());
  }

  private void dot(String style, int place, double log, Commit commit, String word) {
    String what = "%s · %s · %s".formatted(commit.title(), Quantity.change(Math.expm1(log)), word);
    svg.dot(style, x(place), y(log), 4.5, what);
  }

  /** Round changes within the plot. */
  private List<Double> ticks() {
    double span = Math.expm1(high) - Math.expm1(low);
    double step = 1e-3;
    for (int i = 0; span / step > 7; i++) step *= i % 3 == 1 ? 2.5 : 2;
    List<Double> ticks = new ArrayList<>();
    for (long k = (long) Math.ceil(Math.expm1(low) / step); k * step <= Math.expm1(high); k++) {
      ticks.add(k * step);
    }
    return ticks;
  }

  /** The good end is the place before the first commit. */
  private double x(int place) {
    return LEFT + (place + 1.5) * width();
  }

  private double width() {
    return (WIDTH - RIGHT - LEFT) / (it.commits().size() + 1);
  }

  private double y(double log) {
    return TOP + (high - log) / (high - low) * (HEIGHT - TOP - BOTTOM);
  }
}
