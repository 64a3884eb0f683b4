package dev.ridgeline.tensor.kernel;

/**
 * The factors of one step of AdamW, the same for every number: see {@link RowKernels#adamW}.
 *
 * <p>Filled by one thread before others read it, and filled again for the next step.
 */
public final class AdamRates {
  /** Of gradients. */
  public float factor;

  public float beta1;

  /** {@code 1 − beta1}, to all digits. */
  public float rest1;

  public float beta2;

  /** {@code 1 − beta2}, to all digits. */
  public float rest2;

  /** Of the weights, which decay. */
  public float keep;

  public float rate;

  /** Of the root of the mean square. */
  public float root;

  public float epsilon;
}
