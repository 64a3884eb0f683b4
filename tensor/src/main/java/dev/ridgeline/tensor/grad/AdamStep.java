package dev.ridgeline.tensor.grad;

/**
 * The numbers of one step of AdamW (Loshchilov and Hutter), the same for all weights or for some of
 * them. It is changed from step to step, so that a step allocates nothing.
 *
 * <p>In double: {@code 1 − beta2} of an f32 is wrong from its fifth digit on.
 */
public final class AdamStep {
  /** How far a step goes. */
  public double rate = 1e-3;

  /** What stays of the mean of gradients. */
  public double beta1 = 0.9;

  /** What stays of the mean of their squares. */
  public double beta2 = 0.999;

  /** What is added to the root of those. */
  public double epsilon = 1e-8;

  /** The part of a weight that it loses at rate 1. */
  public double decay;

  /** What the mean of gradients is divided by, since it began at zero. */
  public double correction1 = 1;

  /** What the mean of squares is divided by. */
  public double correction2 = 1;

  /** What gradients are multiplied by first: to clip them, or to take their mean. */
  public double factor = 1;

  /**
   * Sets the corrections of a step.
   *
   * @param number from 1 on
   */
  public AdamStep step(long number) {
    if (number < 1) throw new IllegalArgumentException("adamw: step %d".formatted(number));
    correction1 = 1 - power(beta1, number);
    correction2 = 1 - power(beta2, number);
    return this;
  }

  /**
   * By squaring. The last bit of {@code Math.pow} may change when code is compiled, and {@code
   * StrictMath.pow} allocates.
   */
  private static double power(double base, long exponent) {
    double power = 1;
    double square = base;
    for (long left = exponent; left > 0; left >>= 1) {
      if ((left & 1) == 1) power *= square;
      square *= square;
    }
    return power;
  }
}
