package dev.ridgeline.train.config;

/** Refuses values out of range by the name of their key. */
final class Range {
  private Range() {}

  static void within(String key, long value, long least, long most) {
    if (value >= least && value <= most) return;
    throw new WrongValueException(key, "must be %d to %d, is %d".formatted(least, most, value));
  }

  static void within(String key, double value, double least, double most) {
    if (value >= least && value <= most) return;
    throw new WrongValueException(
        key, "must be %s to %s, is %s".formatted(plain(least), plain(most), plain(value)));
  }

  /** Above the first bound, at most the second. */
  static void above(String key, double value, double bound, double most) {
    if (value > bound && value <= most) return;
    throw new WrongValueException(
        key,
        "must be above %s and at most %s, is %s"
            .formatted(plain(bound), plain(most), plain(value)));
  }

  /** At least the first bound, below the second. */
  static void below(String key, double value, double least, double bound) {
    if (value >= least && value < bound) return;
    throw new WrongValueException(
        key,
        "must be at least %s and below %s, is %s"
            .formatted(plain(least), plain(bound), plain(value)));
  }

  /** Something to read. */
  static void written(String key, String text) {
    if (text.isEmpty()) throw new WrongValueException(key, "is empty");
    if (text.indexOf('\0') >= 0) throw new WrongValueException(key, "has a character 0");
  }

  private static String plain(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e9;
    return whole ? Long.toString((long) value) : Double.toString(value);
  }
}
