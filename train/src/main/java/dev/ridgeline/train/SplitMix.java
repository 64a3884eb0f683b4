package dev.ridgeline.train;

/**
 * Random numbers whose whole state is one number, which a checkpoint can keep. They are the same on
 * every machine.
 *
 * <p>SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
 * Not safe for use by several threads.
 */
public final class SplitMix {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long state;

  public SplitMix(long state) {
    this.state = state;
  }

  /**
   * Independent numbers for a purpose and a turn of it: the order of epoch 3, the weights of tensor
   * 17.
   */
  public static SplitMix of(long seed, long purpose, long turn) {
    return new SplitMix(state(seed, purpose, turn));
  }

  /** The initial state of those, for {@link #restore}. */
  public static long state(long seed, long purpose, long turn) {
    return mixed(mixed(mixed(seed + GOLDEN) ^ purpose) + GOLDEN ^ turn);
  }

  /** Everything that must be kept. */
  public long state() {
    return state;
  }

  /** Continues from a kept state. */
  public void restore(long kept) {
    state = kept;
  }

  /** The next 64 bits. */
  public long next() {
    state += GOLDEN;
    return mixed(state);
  }

  private static long mixed(long z) {
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /** A number from 0 to {@code bound − 1}, each as likely as the others. */
  public int below(int bound) {
    if (bound < 1) throw new IllegalArgumentException("nothing is below " + bound);
    // Lemire, "Fast random integer generation in an interval", 2019.
    long product = (next() >>> 32) * bound;
    int low = (int) product;
    if (Integer.compareUnsigned(low, bound) < 0) {
      int unfair = Integer.remainderUnsigned(-bound, bound);
      while (Integer.compareUnsigned(low, unfair) < 0) {
        product = (next() >>> 32) * bound;
        low = (int) product;
      }
    }
    return (int) (product >>> 32);
  }

  /** A number from 0 up to but not 1. */
  public double uniform() {
    return (next() >>> 11) * 0x1p-53;
  }

  /** A normally distributed number with mean 0 and deviation 1; takes two others. */
  public double gaussian() {
    // Box and Muller; the second number of each pair is dropped so that there is no more state.
    double radius = Math.sqrt(-2 * StrictMath.log(1 - uniform()));
    return radius * StrictMath.cos(2 * Math.PI * uniform());
  }
}
