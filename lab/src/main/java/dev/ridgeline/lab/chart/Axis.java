package dev.ridgeline.lab.chart;

import dev.ridgeline.lab.chart.Chart.Mark;
import dev.ridgeline.lab.chart.Chart.Scale;
import java.util.ArrayList;
import java.util.List;

/**
 * Where numbers lie on an axis, and which of them are written beside it.
 *
 * @param low the least number
 * @param high the greatest
 * @param from where the least lies on the page
 * @param to where the greatest lies
 */
record Axis(Scale scale, double low, double high, double from, double to) {
  /** Over so many times the powers of ten are read more easily than those of two. */
  private static final double MANY_TIMES = 4096;

  /** Greater numbers are drawn where this is: beyond, the distance of two is none any more. */
  private static final double GREATEST = 1e250;

  /** Smaller ones among logarithms, the same. */
  private static final double LEAST = 1e-250;

  /** One that holds these numbers, with some room, and zero where that is not far. */
  static Axis of(Scale scale, double[] numbers, double from, double to) {
    boolean logarithmic = scale == Scale.LOGARITHMIC;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double number : numbers) {
      if (!Double.isFinite(number) || (logarithmic && number <= 0)) continue;
      number = Math.clamp(number, -GREATEST, GREATEST);
      low = Math.min(low, number);
      high = Math.max(high, number);
    }
    if (low > high) return new Axis(scale, logarithmic ? 1 : 0, 10, from, to);
    if (logarithmic) {
      low = Math.max(low, LEAST);
      high = Math.max(high, LEAST);
      double room = low == high ? Math.sqrt(2) : Math.exp(0.05 * (Math.log(high) - Math.log(low)));
      return new Axis(scale, low / room, high * room, from, to);
    }
    boolean zero = scale == Scale.FROM_ZERO || scale == Scale.LINEAR && low < 0.6 * high;
    if (low > 0 && zero) low = 0;
    // Numbers that hardly differ get room, so that there is something between the ends.
    double least = 1e-9 * Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= least) {
      double room = low == 0 ? 1 : 0.1 * Math.abs(low);
      return new Axis(scale, low - room, high + room, from, to);
    }
    double room = 0.06 * (high - low);
    return new Axis(scale, low == 0 ? 0 : low - room, high + room, from, to);
  }

  private boolean logarithmic() {
    return scale == Scale.LOGARITHMIC;
  }

  /** Whether a number has a place here. */
  boolean holds(double number) {
    return Double.isFinite(number) && !(logarithmic() && number <= 0);
  }

  /** The nearest number that has a place within the axis. */
  double within(double number) {
    return Math.clamp(number, low, high);
  }

  double at(double number) {
    double part =
        logarithmic()
            ? (Math.log(number) - Math.log(low)) / (Math.log(high) - Math.log(low))
            : (number - low) / (high - low);
    return from + part * (to - from);
  }

  /** Round numbers, about so many, as they are written. */
  List<Tick> ticks(int about) {
    if (logarithmic() && high / low > 3) {
      return powers(about).stream().map(each -> new Tick(each, Ticks.plain(each, 3))).toList();
    }
    Ticks steps = Ticks.between(low, high, about, scale == Scale.WHOLE ? 1 : 0);
    return steps.values().stream().map(each -> new Tick(each, steps.label(each))).toList();
  }

  /** What stands below a chart: its places, its names, or about so many numbers. */
  List<Mark> below(Chart chart, int about) {
    if (!chart.places().isEmpty()) return chart.places();
    if (scale == Scale.NAMES) {
      return chart.series().stream()
          .limit(1)
          .flatMap(series -> series.points().stream())
          .map(point -> new Mark(point.x(), point.label()))
          .toList();
    }
    return ticks(about).stream().map(tick -> new Mark(tick.value(), tick.label())).toList();
  }

  /** A number with a place on an axis, and how it is written there. */
  record Tick(double value, String label) {}

  private List<Double> powers(int about) {
    if (high / low > MANY_TIMES) return decades(about);
    List<Double> ticks = new ArrayList<>();
    double octaves = (Math.log(high) - Math.log(low)) / Math.log(2);
    int factor = Math.max(1, (int) Math.ceil(octaves / about));
    int first = (int) Math.ceil(Math.log(low) / Math.log(2) - 1e-9);
    for (int k = first; Math.scalb(1.0, k) <= high * (1 + 1e-9); k += factor) {
      ticks.add(Math.scalb(1.0, k));
    }
    return ticks;
  }

  private List<Double> decades(int about) {
    List<Double> ticks = new ArrayList<>();
    int factor = Math.max(1, (int) Math.ceil(Math.log10(high / low) / about));
    int first = (int) Math.ceil(Math.log10(low) - 1e-9);
    for (int k = first; Math.pow(10, k) <= high * (1 + 1e-9); k += factor) {
      ticks.add(Math.pow(10, k));
    }
    return ticks;
  }
}
