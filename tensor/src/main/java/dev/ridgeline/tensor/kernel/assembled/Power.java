package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.kernel.assembled.Registers.Some;

/**
 * Emits e to the power of vectors, within 1.5 ulp. Several of them take turns, instruction by
 * instruction: a series is one long wait.
 */
final class Power {
  /** Coefficients of the powers of r in e^r, from the seventh down to the second. */
  private static final float[] SERIES = {1 / 5040f, 1 / 720f, 1 / 120f, 1 / 24f, 1 / 6f, 0.5f};

  /** Below, e^x is zero, which it nearly is: numbers that are not normal need more care. */
  private static final float LEAST = -87;

  /**
   * The registers of one vector.
   *
   * @param n for the whole part of the power of two
   */
  record Lane(Vec to, Vec x, Vec n, Some low) {}

  private final Assembler code;
  private final Registers registers;

  private final Operand one;
  private final Operand[] series = new Operand[SERIES.length];
  private final Operand toTwo;
  private final Operand ln2;
  private final Operand ln2Rest;
  private final Operand least;

  /** Code that has the constants ready from here on. */
  Power(Assembler code, Registers registers, Constants constants) {
    this.code = code;
    this.registers = registers;
    one = constants.of(1);
    for (int i = 0; i < SERIES.length; i++) series[i] = constants.of(SERIES[i]);
    toTwo = constants.of((float) (1 / Math.log(2)));
    // ln 2 in two parts; the first has zeros at its end, so that its products are exact.
    ln2 = constants.of(0x1.62ep-1f);
    ln2Rest = constants.of((float) (Math.log(2) - 0x1.62ep-1));
    least = constants.of(LEAST);
  }

  /** The number 1 in every lane. */
  Operand one() {
    return one;
  }

  /**
   * {@code to = exp(x)} for x up to 88, and zero below −87; x is lost. What is not a number stays
   * that.
   */
  void exp(Lane[] lanes, int count) {
    for (int i = 0; i < count; i++) registers.less(lanes[i].low, lanes[i].x, least);
    for (int i = 0; i < count; i++) code.vmulps(lanes[i].n, lanes[i].x, toTwo);
    for (int i = 0; i < count; i++) code.vroundps(lanes[i].n, lanes[i].n);
    for (int i = 0; i < count; i++) code.vfnmadd231ps(lanes[i].x, lanes[i].n, ln2);
    for (int i = 0; i < count; i++) code.vfnmadd231ps(lanes[i].x, lanes[i].n, ln2Rest);
    for (int i = 0; i < count; i++) registers.move(lanes[i].to, series[0]);
    for (int term = 1; term < series.length; term++) {
      for (int i = 0; i < count; i++) {
        code.vfmadd213ps(lanes[i].to, lanes[i].x, series[term]);
      }
    }
    for (int twice = 0; twice < 2; twice++) {
      for (int i = 0; i < count; i++) code.vfmadd213ps(lanes[i].to, lanes[i].x, one);
    }
    for (int i = 0; i < count; i++) registers.scale(lanes[i].to, lanes[i].n);
    for (int i = 0; i < count; i++) registers.clear(lanes[i].to, lanes[i].low);
  }
}
