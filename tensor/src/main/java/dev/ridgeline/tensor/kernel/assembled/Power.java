package dev.ridgeline.tensor.kernel.assembled;

/**
 * Emits e to the power of a vector, within 1.5 ulp; 11 registers from one on hold its constants.
 */
final class Power {
  /** Coefficients of the powers of r in e^r, from the seventh down to the second. */
  private static final float[] SERIES = {1 / 5040f, 1 / 720f, 1 / 120f, 1 / 24f, 1 / 6f, 0.5f};

  private final Assembler code;
  private final int first;

  Power(Assembler code, int first) {
    this.code = code;
    this.first = first;
  }

  private Vec vec(int i) {
    return new Vec(first + i, 512);
  }

  void constants() {
    Snippets.constant(code, vec(0), (float) (1 / Math.log(2)));
    // ln 2 in two parts; the first has zeros at its end, so that its products are exact.
    Snippets.constant(code, vec(1), 0x1.62ep-1f);
    Snippets.constant(code, vec(2), (float) (Math.log(2) - 0x1.62ep-1));
    // Below, even the smallest number is too large.
    Snippets.constant(code, vec(3), -110);
    Snippets.constant(code, one(), 1);
    for (int i = 0; i < SERIES.length; i++) Snippets.constant(code, vec(5 + i), SERIES[i]);
  }

  /** The number 1 in every lane. */
  Vec one() {
    return vec(4);
  }

  /**
   * {@code to = exp(x)} for x up to 88; x is lost. What is not a number stays that.
   *
   * @param n for the whole part of the power of two
   */
  void exp(Vec to, Vec x, Vec n) {
    code.vmaxps(x, vec(3), x);
    code.vmulps(n, x, vec(0));
    code.vroundps(n, n);
    code.vfnmadd231ps(x, n, vec(1));
    code.vfnmadd231ps(x, n, vec(2));
    code.vmovaps(to, vec(5));
    for (int i = 1; i < SERIES.length; i++) code.vfmadd213ps(to, x, vec(5 + i));
    code.vfmadd213ps(to, x, one());
    code.vfmadd213ps(to, x, one());
    code.vscalefps(to, to, n);
  }
}
