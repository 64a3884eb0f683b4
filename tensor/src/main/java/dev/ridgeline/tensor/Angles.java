package dev.ridgeline.tensor;

/** Tables of the angles that {@link Ops#rope} turns by. */
public final class Angles {
  private Angles() {}

  /**
   * For each position {@code width/2} cosines, then {@code width/2} sines, of {@code position ·
   * scale / base^(2j/width) / factors[j]}.
   *
   * @param positions from 0 to one less than this
   * @param width numbers of a head that turn: all of them, or the first
   * @param base what frequencies are powers of, 10,000 in the paper
   * @param scale 1, or less to stretch a short context over a longer one
   * @param factorsOrNull what each frequency is divided by, {@code width/2} of them
   */
  public static Tensor of(
      Device device,
      String owner,
      int positions,
      int width,
      double base,
      double scale,
      float[] factorsOrNull) {
    if (width < 2 || width % 2 != 0) {
      throw new IllegalArgumentException("angles for heads of %d numbers: even".formatted(width));
    }
    int half = width / 2;
    if (factorsOrNull != null && factorsOrNull.length != half) {
      throw new IllegalArgumentException(
          "%d factors for %d frequencies".formatted(factorsOrNull.length, half));
    }
    Tensor angles = device.allocate(owner, TensorType.F32, positions, width);
    if (device.plans()) return angles;
    float[] table = new float[Math.multiplyExact(positions, width)];
    for (int j = 0; j < half; j++) {
      double frequency = scale / Math.pow(base, 2.0 * j / width);
      if (factorsOrNull != null) frequency /= factorsOrNull[j];
      for (int p = 0; p < positions; p++) {
        table[p * width + j] = (float) Math.cos(p * frequency);
        table[p * width + half + j] = (float) Math.sin(p * frequency);
      }
    }
    device.write(angles, table, 0);
    return angles;
  }
}
