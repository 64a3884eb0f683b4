package dev.ridgeline.train.net;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.train.net.Parameter.Kind;

/** The numbers that learning begins with. */
@FunctionalInterface
public interface Initial {
  /** The numbers of a parameter, row after row, into an array that is at least as long. */
  void fill(Parameter parameter, float[] to);

  /**
   * Normally distributed with a deviation of 0.02, as GPT-2's are; those of matrices whose results
   * are added to what went around them by √(2·layers) less, so that the sum stays as it is. Norms
   * begin with 1, biases with 0. The same for the same seed.
   */
  static Initial random(long seed, int layers) {
    return (parameter, to) -> {
      int count = Math.toIntExact(parameter.count());
      Kind kind = parameter.kind();
      double deviation =
          switch (kind) {
            case MATRIX, TABLE -> 0.02;
            case RESIDUAL -> 0.02 / Math.sqrt(2.0 * layers);
            case NORM, BIAS -> 0;
          };
      var normal = new NormalNumbers(seed, parameter.index());
      for (int i = 0; i < count; i++) {
        to[i] = deviation == 0 ? (kind == Kind.NORM ? 1 : 0) : (float) (deviation * normal.next());
      }
    };
  }

  /** Sets all weights of a model. */
  default void fill(Parameters parameters, Device device) {
    for (Parameter each : parameters.all()) {
      float[] numbers = new float[Math.toIntExact(each.count())];
      fill(each, numbers);
      device.write(each.weight(), numbers, 0);
    }
  }
}
