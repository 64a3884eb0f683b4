package dev.ridgeline.cli.kernels;

/** Sizes as they stand in names of kernels. */
final class Names {
  private Names() {}

  /** {@code 1M}, {@code 10K}, {@code 513}. */
  static String count(int n) {
    if (n % 1_000_000 == 0) return n / 1_000_000 + "M";
    if (n % 1_000 == 0) return n / 1_000 + "K";
    return Integer.toString(n);
  }
}
