package dev.ridgeline.model.shape;

import dev.ridgeline.tensor.gguf.Metadata;
import java.util.Locale;
import java.util.function.BiConsumer;

/**
 * How positions turn queries and keys.
 *
 * @param width numbers of a head that turn, from its first
 * @param base what frequencies are powers of
 * @param scaling how a short context was stretched over a longer one
 * @param factor by how much
 * @param original the short context, which YaRN needs
 * @param attention what YaRN's growth of attention is multiplied by
 */
public record Rope(
    int width, float base, Scaling scaling, float factor, int original, float attention) {
  /** GGUF's kinds of stretching. */
  public enum Scaling {
    NONE,
    /** All frequencies alike. */
    LINEAR,
    /** Low frequencies alone (arXiv:2309.00071). */
    YARN
  }

  /** Turns in the short context above which a frequency stays, and below which it is stretched. */
  private static final double FAST = 32;

  private static final double SLOW = 1;

  public Rope {
    if (width < 2 || width % 2 != 0) throw new ModelException("rope turns " + width + " numbers");
    if (!(base > 0) || base == Float.POSITIVE_INFINITY)
      throw new ModelException("rope base " + base);
    if (!(factor > 0) || factor == Float.POSITIVE_INFINITY) {
      throw new ModelException("rope scaling factor " + factor);
    }
    if (scaling == Scaling.YARN && original < 1) {
      throw new ModelException("yarn without rope.scaling.original_context_length");
    }
    if (!Float.isFinite(attention)) throw new ModelException("rope attention factor " + attention);
  }

  /** Plain rope. */
  public static Rope of(int width, float base) {
    return new Rope(width, base, Scaling.NONE, 1, 0, 1);
  }

  static Rope of(Metadata metadata, String word, int headWidth, int context) {
    String key = word + ".rope.";
    int width = metadata.integer(key + "dimension_count", headWidth);
    float base = metadata.floating(key + "freq_base", 10_000f);
    String kind = metadata.string(key + "scaling.type", "");
    // What the first files called it; only linear scaling was known then.
    float old = metadata.floating(key + "scale_linear", 1);
    float factor = metadata.floating(key + "scaling.factor", old);
    Scaling scaling =
        switch (kind) {
          case "none" -> Scaling.NONE;
          case "" -> factor == 1 || factor == 0 ? Scaling.NONE : Scaling.LINEAR;
          case "linear" -> Scaling.LINEAR;
          case "yarn" -> Scaling.YARN;
          default -> throw new ModelException("rope scaling '%s' is not supported".formatted(kind));
        };
    return new Rope(
        width,
        base,
        scaling,
        scaling == Scaling.NONE ? 1 : factor,
        metadata.integer(key + "scaling.original_context_length", context),
        metadata.floating(key + "scaling.attn_factor", 1));
  }

  void describe(String word, BiConsumer<String, Object> keys) {
    String key = word + ".rope.";
    keys.accept(key + "dimension_count", width);
    keys.accept(key + "freq_base", base);
    if (scaling == Scaling.NONE) return;
    keys.accept(key + "scaling.type", scaling.name().toLowerCase(Locale.ROOT));
    keys.accept(key + "scaling.factor", factor);
    if (scaling == Scaling.YARN) keys.accept(key + "scaling.original_context_length", original);
    if (attention != 1) keys.accept(key + "scaling.attn_factor", attention);
  }

  /** The same with another base and no stretching, as local layers have it. */
  Rope local(float otherBase) {
    return of(width, otherBase);
  }

  /** What positions are multiplied by. */
  public float scale() {
    return scaling == Scaling.LINEAR ? 1 / factor : 1;
  }

  /**
   * What each frequency is divided by, or null for 1.
   *
   * @param fileFactors those of the file, or null
   */
  public float[] factors(float[] fileFactors) {
    if (scaling != Scaling.YARN) return fileFactors;
    float[] factors = new float[width / 2];
    double low = Math.max(0, Math.floor(pairThatTurns(FAST)));
    double high = Math.min(width - 1, Math.ceil(pairThatTurns(SLOW)));
    for (int j = 0; j < factors.length; j++) {
      double ramp = Math.clamp((j - low) / Math.max(0.001, high - low), 0.0, 1.0);
      double frequency = ramp / factor + (1 - ramp);
      factors[j] = (float) (1 / frequency) * (fileFactors == null ? 1 : fileFactors[j]);
    }
    return factors;
  }

  /** The pair that turns so many times in the short context. */
  private double pairThatTurns(double times) {
    return width * Math.log(original / (times * 2 * Math.PI)) / (2 * Math.log(base));
  }

  /** What YaRN multiplies queries and keys by, which turning leaves alone. */
  public float growth() {
    if (scaling != Scaling.YARN) return attention;
    return attention * (float) (1 + 0.1 * Math.log(factor));
  }

  /**
   * The factors of Llama 3.1 and later, which makers give as four numbers and GGUF spells out.
   *
   * @param low turns in the original context below which a frequency is divided by the factor
   * @param high turns above which it stays
   */
  public static float[] llama3Factors(
      int width, double base, double factor, double low, double high, int original) {
    float[] factors = new float[width / 2];
    for (int j = 0; j < factors.length; j++) {
      double turns = original / (2 * Math.PI * Math.pow(base, 2.0 * j / width));
      double smooth = Math.clamp((turns - low) / (high - low), 0.0, 1.0);
      factors[j] = (float) (1 / ((1 - smooth) / factor + smooth));
    }
    return factors;
  }
}
