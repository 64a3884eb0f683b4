package dev.ridgeline.cli.doctor;

import java.util.Locale;

/** Figures with units, the way the doctor writes them. */
final class Units {
  private Units() {}

  static String bytes(long bytes) {
    if (bytes < 1 << 20) return "%d KiB".formatted(bytes >> 10);
    if (bytes < 1 << 30) return "%d MiB".formatted(bytes >> 20);
    return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
  }

  static String nanos(double nanos) {
    return String.format(Locale.ROOT, "%.1f ns", nanos);
  }

  static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", fraction * 100);
  }

  /** One decimal is all that a measurement of a fraction of a second is worth. */
  static double round(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
