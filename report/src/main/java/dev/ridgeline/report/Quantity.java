package dev.ridgeline.report;

import dev.ridgeline.profiler.Profile;
import java.util.Locale;

/** Numbers as people read them: grouped, three digits that matter, a unit. */
public final class Quantity {
  private static final String[] BYTES = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private Quantity() {}

  /** {@code 1,234}. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** {@code 1,234.5}, with the given number of decimals. */
  public static String fixed(double value, int decimals) {
    String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
    // What rounds to nothing has no sign.
    return text.matches("-0[.0]*") ? text.substring(1) : text;
  }

  /** {@code 471}, {@code 23.4}, {@code 1.25}: three digits, or all of those before the point. */
  public static String number(double value) {
    double size = Math.abs(value);
    if (size == 0 || size >= 99.95) return fixed(value, 0);
    if (size < 1e-4) return String.format(Locale.ROOT, "%.2e", value);
    int decimals = size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 2 + (int) Math.ceil(-Math.log10(size));
    return fixed(value, decimals);
  }

  /**
   * {@code 12.3 MB}, in powers of 1,000; {@code unknown} for {@link Profile#UNKNOWN}. Less than
   * half a byte, on average over many, is {@code 0 B}.
   */
  public static String bytes(double bytes) {
    if (bytes == Profile.UNKNOWN) return "unknown";
    double scaled = Math.abs(bytes) < 0.5 ? 0 : bytes;
    int unit = 0;
    while (Math.abs(scaled) >= 999.5 && unit < BYTES.length - 1) {
      scaled /= 1000;
      unit++;
    }
    boolean exact = unit == 0 && scaled == Math.rint(scaled);
    return fixed(scaled, exact || Math.abs(scaled) >= 99.95 ? 0 : 1) + " " + BYTES[unit];
  }

  /** {@code 31 ns}, {@code 4.10 µs}, {@code 1,234 ms}. */
  public static String time(double nanos) {
    double size = Math.abs(nanos);
    if (size < 999.5) return number(nanos) + " ns";
    if (size < 999_500) return number(nanos / 1e3) + " µs";
    return number(nanos / 1e6) + " ms";
  }

  /** {@code 42 s}, {@code 17 min}, {@code 2.5 h}: about how long something will take. */
  public static String left(double seconds) {
    if (seconds < 99.5) return fixed(seconds, 0) + " s";
    if (seconds < 99.5 * 60) return fixed(seconds / 60, 0) + " min";
    return fixed(seconds / 3600, 1) + " h";
  }

  /** {@code 65.8 %} of a fraction. */
  public static String percent(double fraction) {
    double percent = fraction * 100;
    return percent > 0 && percent < 0.05 ? "<0.1 %" : fixed(percent, 1) + " %";
  }

  /** {@code +5.6 %} or {@code −5.6 %}, of a fraction by which something grew. */
  public static String change(double fraction) {
    return signed(fraction) + " %";
  }

  /** The same without the sign of a percentage, for the bounds after one. */
  public static String signed(double fraction) {
    String text = String.format(Locale.ROOT, "%+,.1f", 100 * fraction).replace('-', '−');
    return text.matches("[+−]0\\.0") ? "±0.0" : text;
  }

  /** Numbers in a text that programs read, whatever the locale. */
  public static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** {@code 1 call}, {@code 3 calls}. */
  public static String many(long count, String one) {
    return count(count) + " " + one + (count == 1 ? "" : "s");
  }
}
