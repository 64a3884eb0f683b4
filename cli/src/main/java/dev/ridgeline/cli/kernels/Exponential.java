package dev.ridgeline.cli.kernels;

/**
 * A vectorisable e^x: a polynomial at x/128, then squared seven times.
 *
 * <p>The usual trick of writing the exponent's bits keeps the JIT of Java 25 from vectorising (10
 * times slower, measured), and {@code Math.exp} is a call per element. Squaring doubles the
 * relative error seven times: it stays below {@link #ERROR}.
 */
final class Exponential {
  /** Additions, multiplications, minimum and maximum of one element. */
  static final int FLOPS = 26;

  /** Largest relative error for arguments within ±87; beyond, the argument is clamped. */
  static final double ERROR = 5e-5;

  private Exponential() {}

  /** e^x. Small enough to be inlined into any loop. */
  static float of(float x) {
    float t = Math.max(-87f, Math.min(87f, x)) * (1f / 128);
    float p = 1f / 120 + t * (1f / 720 + t * (1f / 5040 + t * (1f / 40320)));
    p = 1f + t * (1f + t * (0.5f + t * (1f / 6 + t * (1f / 24 + t * p))));
    p *= p;
    p *= p;
    p *= p;
    p *= p;
    p *= p;
    p *= p;
    return p * p;
  }
}
