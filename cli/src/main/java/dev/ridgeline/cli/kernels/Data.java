package dev.ridgeline.cli.kernels;

import java.util.SplittableRandom;

/** Seeded input: the same name and seed give the same data, whichever other kernels run. */
final class Data {
  private final SplittableRandom random;

  Data(String name, long seed) {
    random = new SplittableRandom(seed * 31 + name.hashCode());
  }

  /** Values spread evenly over {@code [-range, range)}. */
  float[] row(int columns, double range) {
    float[] row = new float[columns];
    for (int j = 0; j < columns; j++) row[j] = (float) random.nextDouble(-range, range);
    return row;
  }

  /** Rows of such values. */
  float[][] rows(int rows, int columns, double range) {
    float[][] all = new float[rows][];
    for (int i = 0; i < rows; i++) all[i] = row(columns, range);
    return all;
  }
}
