package dev.ridgeline.tensor.kernel.assembled;

/**
 * A row as bytes, made by plain loops: a number is its byte times the step of its block times the
 * scale.
 *
 * @param rest what the bytes do not say
 */
record PlainBytes(int[] quants, float[] steps, float scale, float[] rest) {
  private static final float TINY = 1e-30f;

  static PlainBytes of(float[] row, int size, boolean byHalves) {
    float[] largest = new float[row.length / size];
    for (int i = 0; i < row.length; i++) {
      largest[i / size] = Math.max(largest[i / size], Math.abs(row[i]));
    }
    int[] quants = new int[row.length];
    float[] steps = new float[largest.length];
    float[] rest = new float[row.length];
    float most = 0;
    for (float each : largest) most = Math.max(most, each);
    float scale = byHalves ? most * (1f / 127) : 1;
    most = Math.max(most, TINY);
    for (int block = 0; block < largest.length; block++) {
      float inverse;
      if (byHalves) {
        float ratio = Math.min(most / Math.max(largest[block], TINY), 0x1p60f);
        int halvings = Math.getExponent(ratio);
        steps[block] = Math.scalb(1f, -halvings);
        inverse = Math.scalb(1f, halvings) * (127 / most);
      } else {
        steps[block] = largest[block] * (1f / 127);
        inverse = 127 / Math.max(largest[block], TINY);
      }
      for (int i = size * block; i < size * (block + 1); i++) {
        quants[i] = (int) Math.rint(row[i] * inverse);
        rest[i] = Math.fma(-quants[i], steps[block] * scale, row[i]);
      }
    }
    return new PlainBytes(quants, steps, scale, rest);
  }
}
