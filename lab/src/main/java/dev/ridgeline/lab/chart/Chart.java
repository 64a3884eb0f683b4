package dev.ridgeline.lab.chart;

import dev.ridgeline.lab.stats.Interval;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Lines or dots over an axis, each with the bounds that were measured for it.
 *
 * @param title what it shows
 * @param x title of the axis below
 * @param y title of the axis at the side
 * @param across how the axis below is divided
 * @param up how the axis at the side is divided
 * @param series what is drawn
 * @param marks places on the axis below that have a name
 * @param levels heights that have a name, such as that of no difference
 */
public record Chart(
    String title,
    String x,
    String y,
    Scale across,
    Scale up,
    List<Series> series,
    List<Mark> marks,
    List<Level> levels) {

  /** How an axis is divided. */
  public enum Scale {
    LINEAR,
    /** The same, with zero on it. */
    FROM_ZERO,
    /** Of things that are counted: between them is nothing to be named. */
    WHOLE,
    /** Equal factors, equal distances; for numbers above zero. */
    LOGARITHMIC,
    /** Names, one after the other: x counts them from 0, and {@link Point#label} is the name. */
    NAMES
  }

  /** How points become a picture. */
  public enum Drawn {
    DOTS,
    /** Dots, and a line through them. */
    LINE,
    /** A line alone, beneath all dots: what follows from a formula was not measured. */
    CURVE
  }

  /**
   * What belongs together.
   *
   * @param name as the legend calls it
   * @param group series of one group have one colour: what was measured, and the line that fits it
   */
  public record Series(String name, String group, Drawn drawn, List<Point> points) {
    public Series {
      points = List.copyOf(points);
    }

    /** One with a colour of its own. */
    public Series(String name, Drawn drawn, List<Point> points) {
      this(name, name, drawn, points);
    }
  }

  /**
   * A number and its bounds. One without is drawn as a ring: nobody knows how sure it is.
   *
   * @param low lower bound; NaN where there is none
   * @param high upper bound; NaN where there is none
   * @param label what is said of it, or empty
   */
  public record Point(double x, double y, double low, double high, String label) {
    /** Whether it is known how sure the number is. */
    public boolean bounded() {
      return Double.isFinite(low) && Double.isFinite(high);
    }

    /** A number with the bounds of an interval, if it has any, each changed to what is drawn. */
    public static Point of(double x, Interval interval, DoubleUnaryOperator drawn) {
      double y = drawn.applyAsDouble(interval.estimate());
      if (!interval.bounded()) return of(x, y);
      double low = drawn.applyAsDouble(interval.low());
      return new Point(x, y, low, drawn.applyAsDouble(interval.high()), "");
    }

    /** A point without bounds. */
    public static Point of(double x, double y) {
      return new Point(x, y, Double.NaN, Double.NaN, "");
    }
  }

  /** A place on the axis below, and its name. */
  public record Mark(double x, String name) {}

  /** A height, and its name. */
  public record Level(double y, String name) {}

  public Chart {
    series = List.copyOf(series);
    marks = List.copyOf(marks);
    levels = List.copyOf(levels);
  }

  /** One in which no height has a name. */
  public Chart(
      String title,
      String x,
      String y,
      Scale across,
      Scale up,
      List<Series> series,
      List<Mark> marks) {
    this(title, x, y, across, up, series, marks, List.of());
  }

  /** The same with a height that has a name. */
  public Chart withLevel(double height, String name) {
    return new Chart(title, x, y, across, up, series, marks, List.of(new Level(height, name)));
  }

  /** Names below, numbers at the side. */
  public static Chart ofNames(String title, String y, Series... series) {
    return new Chart(title, "", y, Scale.NAMES, Scale.LINEAR, List.of(series), List.of());
  }
}
