package dev.ridgeline.train.config;

import dev.ridgeline.train.json.WrongValueException;
import java.util.stream.DoubleStream;

/** Refuses values out of range by the name of their key. */
final class Range {
  private Range() {}

  static void within(String key, double value, double least, double most) {
    require(value >= least && value <= most, key, "%s to %s, is %s", least, most, value);
  }

  /** Above the first bound, at most the second. */
  static void above(String key, double value, double bound, double most) {
    String range = "above %s and at most %s, is %s";
    require(value > bound && value <= most, key, range, bound, most, value);
  }

  /** At least the first bound, below the second. */
  static void below(String key, double value, double least, double bound) {
    String range = "at least %s and below %s, is %s";
    require(value >= least && value < bound, key, range, least, bound, value);
  }

  private static void require(boolean holds, String key, String range, double... numbers) {
    if (holds) return;
    Object[] words = DoubleStream.of(numbers).mapToObj(Range::plain).toArray();
    throw new WrongValueException(key, "must be " + range.formatted(words));
  }

  /** Something to read. */
  static void written(String key, String text) {
    if (text.isEmpty()) throw new WrongValueException(key, "is empty");
    if (text.indexOf('\0') >= 0) throw new WrongValueException(key, "contains the character 0");
  }

  private static String plain(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return whole ? Long.toString((long) value) : Double.toString(value);
  }
}
