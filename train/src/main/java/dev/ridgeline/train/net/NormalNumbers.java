package dev.ridgeline.train.net;

import dev.ridgeline.train.SplitMix;

/** Normally distributed numbers by the polar method (Marsaglia and Bray 1964), without a cosine. */
final class NormalNumbers {
  private final SplitMix random;
  private double spare;
  private boolean hasSpare;

  NormalNumbers(long seed, long stream) {
    long state = new SplitMix(seed).next() + new SplitMix(~stream).next();
    random = new SplitMix(state);
    // The figures in the docs were measured with the numbers after this one.
    random.next();
  }

  /** Uniform from −1 to 1. */
  private double even() {
    return 2 * random.uniform() - 1;
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
