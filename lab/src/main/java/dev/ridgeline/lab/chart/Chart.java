package dev.ridgeline.lab.chart;

import dev.ridgeline.lab.stats.Interval;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Lines or dots over an axis, each with the bounds that were measured for it: data, drawn by {@link
 * ChartSvg} in a page and by {@link ChartText} on a console.
 *
 * @param title what it shows
 * @param x title of the axis below
 * @param y title of the axis at the side
 * @param across how the axis below is divided
 * @param up how the axis at the side is divided
 * @param series what is drawn
 * @param marks places on the axis below that have a name
 * @param levels heights that have a name, such as that of no difference
 * @param bands stretches that are shaded, beneath all else
 * @param places names below the axis instead of numbers, as far as there is room; the most
 *     important first
 * @param note what explains it, or empty
 */
public record Chart(
    String title,
    String x,
    String y,
    Scale across,
    Scale up,
    List<Series> series,
    List<Mark> marks,
    List<Level> levels,
    List<Band> bands,
    List<Mark> places,
    String note) {

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
    CURVE,
    /** A line alone, above all dots: what many of them have in common. */
    LEVEL,
    /** Dots, each a measurement itself: none has bounds, and none lacks them. */
    SINGLE;

    boolean dotted() {
      return this != CURVE && this != LEVEL;
    }
  }

  /**
   * What belongs together.
   *
   * @param name as the legend calls it
   * @param group series of one group have one colour: what was measured, and the line that fits it
   * @param tone what its colour says; plain for the group's own
   */
  public record Series(String name, String group, Drawn drawn, List<Point> points, Tone tone) {
    public Series {
      points = List.copyOf(points);
    }

    public Series(String name, String group, Drawn drawn, List<Point> points) {
      this(name, group, drawn, points, Tone.PLAIN);
    }

    /** The same in a colour that says something. */
    public Series in(Tone tone) {
      return new Series(name, group, drawn, points, tone);
    }

    /** One with a colour of its own. */
    public Series(String name, Drawn drawn, List<Point> points) {
      this(name, name, drawn, points);
    }

    /** A dot for each thing, over its name. */
    public static <T> Series ofNames(
        String name, Collection<T> things, Function<T, String> label, Function<T, Interval> level) {
      List<Point> points = new ArrayList<>();
      for (T thing : things) {
        points.add(Point.of(points.size(), level.apply(thing), y -> y, label.apply(thing)));
      }
      return new Series(name, Drawn.DOTS, points);
    }

    /** A point for each place. */
    public static <T> Series over(
        String name,
        Drawn drawn,
        Collection<T> places,
        ToDoubleFunction<T> x,
        Function<T, Interval> level) {
      List<Point> points = new ArrayList<>();
      for (T place : places) {
        points.add(Point.of(x.applyAsDouble(place), level.apply(place), y -> y));
      }
      return new Series(name, drawn, points);
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
      return of(x, interval, drawn, "");
    }

    /** The same with what is said of it. */
    public static Point of(double x, Interval interval, DoubleUnaryOperator drawn, String label) {
      boolean bounded = interval.bounded();
      return new Point(
          x,
          drawn.applyAsDouble(interval.estimate()),
          bounded ? drawn.applyAsDouble(interval.low()) : Double.NaN,
          bounded ? drawn.applyAsDouble(interval.high()) : Double.NaN,
          label);
    }

    /** A point without bounds. */
    public static Point of(double x, double y) {
      return new Point(x, y, Double.NaN, Double.NaN, "");
    }
  }

  /**
   * A place on the axis below.
   *
   * @param name what stands at it, or empty
   * @param said what else is to be said of it, or empty
   */
  public record Mark(double x, String name, Tone tone, String said) {
    public Mark(double x, String name) {
      this(x, name, Tone.PLAIN, "");
    }
  }

  /** A height, and its name. */
  public record Level(double y, String name) {}

  /** A stretch of the plot; what is infinite ends with it. */
  public record Band(double left, double right, double low, double high) {
    /** Between two places, from the bottom to the top. */
    public static Band across(double left, double right) {
      return new Band(left, right, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    /** Between two heights, from side to side. */
    public static Band up(double low, double high) {
      return new Band(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, low, high);
    }
  }

  public Chart {
    series = List.copyOf(series);
    marks = List.copyOf(marks);
    levels = List.copyOf(levels);
    bands = List.copyOf(bands);
    places = List.copyOf(places);
  }

  /** One of series and marks alone, with numbers below. */
  public Chart(
      String title,
      String x,
      String y,
      Scale across,
      Scale up,
      List<Series> series,
      List<Mark> marks) {
    this(title, x, y, across, up, series, marks, List.of(), List.of(), List.of(), "");
  }

  /** The same with one more height that has a name. */
  public Chart withLevel(double height, String name) {
    List<Level> all = Stream.concat(levels.stream(), Stream.of(new Level(height, name))).toList();
    return new Chart(title, x, y, across, up, series, marks, all, bands, places, note);
  }

  /** The same with stretches that are shaded, and words that explain them. */
  public Chart withBands(List<Band> shaded, String explained) {
    return new Chart(title, x, y, across, up, series, marks, levels, shaded, places, explained);
  }

  /** The same with names below instead of numbers, the most important first. */
  public Chart withPlaces(List<Mark> names) {
    return new Chart(title, x, y, across, up, series, marks, levels, bands, names, note);
  }

  /** Names below, numbers at the side. */
  public static Chart ofNames(String title, String y, Series... series) {
    return new Chart(title, "", y, Scale.NAMES, Scale.LINEAR, List.of(series), List.of());
  }

  /** What decides how far the axis below reaches. */
  double[] placesHeld() {
    return Stream.of(
            points().mapToDouble(Point::x),
            marks.stream().mapToDouble(Mark::x),
            places.stream().mapToDouble(Mark::x),
            bands.stream().flatMapToDouble(band -> DoubleStream.of(band.left(), band.right())))
        .flatMapToDouble(each -> each)
        .toArray();
  }

  /** What decides how far the axis at the side reaches. */
  double[] heightsHeld() {
    return Stream.of(
            points().mapToDouble(Point::y),
            points().filter(Point::bounded).mapToDouble(Point::low),
            points().filter(Point::bounded).mapToDouble(Point::high),
            levels.stream().mapToDouble(Level::y),
            bands.stream().flatMapToDouble(band -> DoubleStream.of(band.low(), band.high())))
        .flatMapToDouble(each -> each)
        .toArray();
  }

  Stream<Point> points() {
    return series.stream().flatMap(each -> each.points().stream());
  }
}
