package dev.ridgeline.lab.chart;

import dev.ridgeline.report.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Round numbers beside an axis, at equal distances, and how they are written: with the decimals
 * that tell one from the next, and no others.
 *
 * @param step from one to the next
 */
public record Ticks(List<Double> values, double step) {
  /** Of more digits before the point nobody reads the number. */
  private static final double MANY = 1e9;

  /** Smaller numbers are written with a power of ten. */
  private static final double LITTLE = 1e-4;

  /** At larger steps, smaller numbers are written as the others beside them are. */
  private static final double FINE = 1e-6;

  public Ticks {
    values = List.copyOf(values);
  }

  /**
   * Those between two numbers.
   *
   * @param about how many there should be
   * @param least the smallest step; 0 for any
   */
  public static Ticks between(double low, double high, int about, double least) {
    double rough = Math.max(least, (high - low) / about);
    double ten = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = ten;
    for (double each : new double[] {1, 2, 5, 10}) {
      step = each * ten;
      if (step >= rough) break;
    }
    List<Double> values = new ArrayList<>();
    double first = Math.ceil(low / step);
    double slack = 1e-9 * (high - low);
    for (int i = 0; (first + i) * step <= high + slack && i <= 2 * about; i++) {
      values.add((first + i) * step);
    }
    return new Ticks(values, step);
  }

  /** A number at this distance from others. */
  public String label(double value) {
    return label(value, step);
  }

  /** A number as it is told from one that is a step away. */
  public static String label(double value, double step) {
    // What is left of adding up is nothing.
    if (Math.abs(value) < 1e-9 * step) return "0";
    double size = Math.abs(value);
    if (size < MANY && (step >= FINE || size >= LITTLE)) {
      return Quantity.fixed(value, decimals(step));
    }
    int digits = (int) Math.clamp(Math.ceil(Math.log10(size / step) - 1e-9), 0, 15);
    return String.format(Locale.ROOT, "%." + digits + "e", value);
  }

  private static int decimals(double step) {
    return Math.max(0, (int) -Math.floor(Math.log10(step) + 1e-9));
  }

  /** A number by itself: so many digits at most, and no zeros behind the last that matters. */
  static String plain(double value, int digits) {
    if (!Double.isFinite(value)) return Double.toString(value);
    if (value == Math.rint(value) && Math.abs(value) < MANY) return Quantity.count((long) value);
    double size = Math.abs(value);
    if (size >= MANY || size < LITTLE) return String.format(Locale.ROOT, "%.2e", value);
    BigDecimal rounded = new BigDecimal(value, new MathContext(Math.clamp(digits, 1, 15)));
    return Quantity.fixed(rounded.doubleValue(), Math.max(0, rounded.stripTrailingZeros().scale()));
  }
}
