package dev.ridgeline.tensor.quant;

/**
 * Looks for the scale of a few numbers that loses the least, trying scales around the obvious one
 * and fitting each by weighted least squares.
 *
 * <p>Sums are f32 and in the numbers' order, as in the engine whose blocks these should equal: with
 * f64 some near ties would fall to the other side.
 */
final class ScaleSearch {
  /** Below this all numbers of a group count as zero. */
  static final float NOTHING = 1e-15f;

  private final int size;
  private final float[] weights;
  private final int[] trial;

  /** The minimum that {@link #shifted} found, with its sign turned. */
  private float lowered;

  ScaleSearch(int size) {
    this.size = size;
    this.weights = new float[size];
    this.trial = new int[size];
  }

  float lowered() {
    return lowered;
  }

  /**
   * Digits {@code −middle … middle−1} for {@code numbers[from …]}, stored with the middle added.
   * Large numbers weigh more, by their square.
   *
   * @return the scale
   */
  float centered(float[] numbers, int from, int middle, int[] digits) {
    float furthest = 0;
    for (int i = 0; i < size; i++) {
      if (Math.abs(numbers[from + i]) > Math.abs(furthest)) furthest = numbers[from + i];
    }
    if (Math.abs(furthest) < NOTHING) {
      java.util.Arrays.fill(digits, from, from + size, 0);
      return 0;
    }
    float scale = 0;
    float best = 0;
    for (int step = 0; step < 19; step++) {
      // The obvious scale first, then nine below it and nine above.
      int offset = step == 0 ? 0 : step <= 9 ? step - 10 : step - 9;
      float inverse = -(middle + 0.1f * offset) / furthest;
      float products = 0;
      float squares = 0;
      for (int i = 0; i < size; i++) {
        float number = numbers[from + i];
        int digit = clamp(Raw.nearest(inverse * number), -middle, middle - 1);
        trial[i] = digit + middle;
        float weight = number * number;
        products += weight * number * digit;
        squares += weight * digit * digit;
      }
      if (step > 0 && !(squares > 0 && products * products > best * squares)) continue;
      System.arraycopy(trial, 0, digits, from, size);
      scale = squares == 0 ? 0 : products / squares;
      best = scale * products;
    }
    return scale;
  }

  /**
   * Digits {@code 0 … most} above a minimum that is not above zero. Large numbers weigh more.
   *
   * @param first what is added to {@code most} in the first trial; each next one adds 0.1 more
   * @return the scale; the minimum is in {@link #lowered}
   */
  float shifted(float[] numbers, int from, int most, float first, int steps, int[] digits) {
    float min = numbers[from];
    float max = numbers[from];
    weigh(numbers, from);
    float weightSum = weights[0];
    float sum = weightSum * min;
    for (int i = 1; i < size; i++) {
      float number = numbers[from + i];
      if (number < min) min = number;
      if (number > max) max = number;
      weightSum += weights[i];
      sum += weights[i] * number;
    }
    if (min > 0) min = 0;
    lowered = -min;
    if (max == min) {
      java.util.Arrays.fill(digits, from, from + size, 0);
      return 0;
    }
    float scale = 1 / (most / (max - min));
    round(numbers, from, most / (max - min), min, most);
    System.arraycopy(trial, 0, digits, from, size);
    float best = error(numbers, from, scale, min);
    for (int step = 0; step <= steps; step++) {
      round(numbers, from, (first + 0.1f * step + most) / (max - min), min, most);
      float digitSum = 0;
      float squares = 0;
      float products = 0;
      for (int i = 0; i < size; i++) {
        float weighted = weights[i] * trial[i];
        digitSum += weighted;
        squares += weighted * trial[i];
        products += weighted * numbers[from + i];
      }
      float determinant = weightSum * squares - digitSum * digitSum;
      if (!(determinant > 0)) continue;
      float fitted = (weightSum * products - sum * digitSum) / determinant;
      float fittedMin = (squares * sum - digitSum * products) / determinant;
      if (fittedMin > 0) {
        fittedMin = 0;
        fitted = products / squares;
      }
      float error = error(numbers, from, fitted, fittedMin);
      if (!(error < best)) continue;
      System.arraycopy(trial, 0, digits, from, size);
      best = error;
      scale = fitted;
      min = fittedMin; // where the next trial starts from
    }
    lowered = -min;
    return scale;
  }

  /** The mean magnitude of the group (as a root mean square) and the number's own. */
  private void weigh(float[] numbers, int from) {
    float squares = 0;
    for (int i = 0; i < size; i++) squares += numbers[from + i] * numbers[from + i];
    float magnitude = (float) Math.sqrt(squares / size);
    for (int i = 0; i < size; i++) weights[i] = magnitude + Math.abs(numbers[from + i]);
  }

  private void round(float[] numbers, int from, float inverse, float min, int most) {
    for (int i = 0; i < size; i++) {
      trial[i] = clamp(Raw.nearest(inverse * (numbers[from + i] - min)), 0, most);
    }
  }

  private float error(float[] numbers, int from, float scale, float min) {
    float error = 0;
    for (int i = 0; i < size; i++) {
      float difference = scale * trial[i] + min - numbers[from + i];
      error += weights[i] * (difference * difference);
    }
    return error;
  }

  static int clamp(int value, int least, int most) {
    return Math.max(least, Math.min(most, value));
  }
}
