package dev.ridgeline.train.net;

/**
 * Normally distributed numbers by the polar method (Marsaglia and Bray 1964) from SplitMix64
 * (Steele, Lea and Flood 2014): the same on every machine.
 */
final class NormalNumbers {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long state;
  private double spare;
  private boolean hasSpare;

  NormalNumbers(long seed, long stream) {
    state = mixed(seed) + mixed(~stream);
  }

  private static long mixed(long number) {
    long z = number + GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Even over −1 to 1. */
  private double even() {
    state += GOLDEN;
    return (mixed(state) >>> 11) * 0x1p-52 - 1;
  }

  double next() {
    if (hasSpare) {
      hasSpare = false;
      return spare;
    }
    double a;
    double b;
    double square;
    do {
      a = even();
      b = even();
      square = a * a + b * b;
    } while (square >= 1 || square == 0);
    double factor = StrictMath.sqrt(-2 * StrictMath.log(square) / square);
    spare = b * factor;
    hasSpare = true;
    return a * factor;
  }
}
