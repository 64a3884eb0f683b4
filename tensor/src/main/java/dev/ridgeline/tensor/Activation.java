package dev.ridgeline.tensor;

/**
 * A function between two matrices, applied to each number by itself.
 *
 * <p>The formulas here are exact and slow. They are the reference that vector and assembled kernels
 * are tested against, and a new activation is written down here and in those two.
 */
public enum Activation {
  /** {@code x · Φ(x)} with the error function, as in BERT. */
  GELU("gelu", "geglu", 20) {
    @Override
    public double value(double x) {
      return share(x, Normal.below(x));
    }

    @Override
    public double slope(double x) {
      return Normal.below(x) + x * Normal.density(x);
    }
  },
  /** The same approximated by tanh, as in GPT-2 and Gemma. */
  GELU_TANH("gelu", "geglu", 20) {
    @Override
    public double value(double x) {
      return share(x, 0.5 * (1 + tanh(x)));
    }

    @Override
    public double slope(double x) {
      double tanh = tanh(x);
      double inner = ROOT * (1 + 3 * CUBIC * x * x);
      return 0.5 * (1 + tanh + x * (1 - tanh * tanh) * inner);
    }

    private static double tanh(double x) {
      return StrictMath.tanh(ROOT * (x + CUBIC * x * x * x));
    }
  },
  /** {@code x / (1 + e⁻ˣ)}, also called swish, as in Llama. */
  SILU("silu", "swiglu", 16) {
    @Override
    public double value(double x) {
      return share(x, logistic(x));
    }

    @Override
    public double slope(double x) {
      double logistic = logistic(x);
      return logistic * (1 + x * (1 - logistic));
    }

    private static double logistic(double x) {
      return 1 / (1 + StrictMath.exp(-x));
    }
  };

  private static final double ROOT = Math.sqrt(2 / Math.PI);
  private static final double CUBIC = 0.044715;

  private final String word;
  private final String gate;
  private final int flops;

  Activation(String word, String gate, int flops) {
    this.word = word;
    this.gate = gate;
    this.flops = flops;
  }

  /**
   * Operations that apply them, by ordinal.
   *
   * @param gated whether something is multiplied by what they give
   * @param suffix of all names
   */
  public static Operation[] operations(boolean gated, String suffix) {
    Operation[] operations = new Operation[values().length];
    for (Activation each : values()) {
      operations[each.ordinal()] = Operation.of((gated ? each.gate : each.word) + suffix);
    }
    return operations;
  }

  /** Operations per number: those of a plain polynomial for it. */
  public int flops() {
    return flops;
  }

  /** The function itself; infinities have its limits. */
  public abstract double value(double x);

  /** Its derivative. */
  public abstract double slope(double x);

  /** {@code x · part}, and its limit 0 where x is −∞ and so the part is 0. */
  private static double share(double x, double part) {
    return part == 0 ? 0 : x * part;
  }
}
