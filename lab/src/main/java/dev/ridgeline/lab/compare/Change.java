package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.report.run.Metric.Better;

/**
 * A number of both runs.
 *
 * @param name what it is
 * @param unit of both numbers
 * @param better which way is better
 * @param base before
 * @param current after
 */
public record Change(String name, String unit, Better better, double base, double current) {
  /** What is within so much of each other is alike. */
  public static final double ALIKE = 0.02;

  /** How a number changed, as far as two single runs can tell. */
  public enum Direction {
    WORSE("looks worse", Tone.WORSE),
    BETTER("looks better", Tone.BETTER),
    /** It changed, and neither way is better. */
    OTHER("", Tone.PLAIN),
    ALIKE("alike", Tone.PLAIN);

    final String word;
    final Tone tone;

    Direction(String word, Tone tone) {
      this.word = word;
      this.tone = tone;
    }
  }

  /** Relative to the base; infinite where there was nothing, 0 where nothing became of nothing. */
  public double relative() {
    if (base == current) return 0;
    return base == 0 ? Math.copySign(Double.POSITIVE_INFINITY, current) : (current - base) / base;
  }

  /** Which way it went, when what lies within {@code margin} counts as alike. */
  public Direction direction(double margin) {
    double change = relative();
    if (Math.abs(change) <= margin) return Direction.ALIKE;
    return switch (better) {
      case NEITHER -> Direction.OTHER;
      case HIGHER -> change > 0 ? Direction.BETTER : Direction.WORSE;
      case LOWER -> change < 0 ? Direction.BETTER : Direction.WORSE;
    };
  }
}
