package dev.ridgeline.train;

/**
 * The learning rate of each step: a warm-up, then constant, or down to the minimum in a line or
 * half a cosine.
 *
 * <p>Steps count from 0. With {@code W} steps of warm-up of {@code S} in all:
 *
 * <ul>
 *   <li>warm-up, {@code t < W}: {@code rate · (t + 1) / (W + 1)}, as nanoGPT has it
 *   <li>progress after it: {@code p = (t − W) / (S − W)}, 1 from {@code S} on
 *   <li>linear: {@code rate + (minimum − rate) · p}, PyTorch's LinearLR from 1 to {@code minimum /
 *       rate} over {@code S − W} steps
 *   <li>cosine: {@code minimum + (rate − minimum) · (1 + cos πp) / 2}, PyTorch's CosineAnnealingLR
 *       and nanoGPT's
 * </ul>
 *
 * @param minimum the last rate, unless it is constant
 * @param warmup steps before the full rate
 * @param steps in all, the warm-up among them
 */
public record Schedule(Kind kind, double rate, double minimum, long warmup, long steps) {
  /** The rate after the warm-up. */
  public enum Kind {
    CONSTANT,
    LINEAR,
    COSINE
  }

  public Schedule {
    if (!(rate > 0 && minimum >= 0 && minimum <= rate) || rate == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("a rate of %s down to %s".formatted(rate, minimum));
    }
    if (warmup < 0 || steps < 1) {
      throw new IllegalArgumentException("%d steps, %d of warm-up".formatted(steps, warmup));
    }
  }

  /** The rate of a step, the first being 0. */
  public double at(long step) {
    if (step < 0) throw new IllegalArgumentException("step " + step);
    if (step < warmup) return rate * (step + 1) / (warmup + 1);
    if (kind == Kind.CONSTANT) return rate;
    if (step >= steps) return minimum;
    double progress = (double) (step - warmup) / (steps - warmup);
    if (kind == Kind.LINEAR) return rate + (minimum - rate) * progress;
    // Not Math.cos: a run must get the same bits wherever it resumes.
    return minimum + (rate - minimum) * (0.5 * (1 + StrictMath.cos(Math.PI * progress)));
  }
}
