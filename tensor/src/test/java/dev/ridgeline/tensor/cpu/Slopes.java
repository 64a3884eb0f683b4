package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;

/** Gradients by central differences of a forward in double. */
final class Slopes {
  /** How far a gradient may be from its slopes, norm-wise and relative. */
  static final double BAR = 1e-4;

  private static final double STEP = 1e-5;

  private Slopes() {}

  /** Something that depends on several tables of numbers. */
  interface Loss {
    double at(double[]... inputs);
  }

  /** The slopes of a loss by one of its inputs. */
  static double[] by(int which, Loss loss, double[]... inputs) {
    double[] of = inputs[which];
    double[] slopes = new double[of.length];
    for (int i = 0; i < of.length; i++) {
      double was = of[i];
      of[i] = was + STEP;
      double above = loss.at(inputs);
      of[i] = was - STEP;
      double below = loss.at(inputs);
      of[i] = was;
      slopes[i] = (above - below) / (2 * STEP);
    }
    return slopes;
  }

  static void assertClose(float[] actual, double[] slopes, String what) {
    assertThat(actual).as(what).hasSameSizeAs(slopes);
    double off = 0;
    double all = 0;
    for (int i = 0; i < slopes.length; i++) {
      off += (actual[i] - slopes[i]) * (actual[i] - slopes[i]);
      all += slopes[i] * slopes[i];
    }
    // A gradient that is 0, as that of a softmax over one key, has slopes of rounding alone.
    assertThat(Math.sqrt(off)).as(what).isLessThanOrEqualTo(BAR * Math.max(Math.sqrt(all), 1e-3));
  }

  static double[] doubles(float... numbers) {
    double[] doubles = new double[numbers.length];
    for (int i = 0; i < numbers.length; i++) doubles[i] = numbers[i];
    return doubles;
  }

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }
}
