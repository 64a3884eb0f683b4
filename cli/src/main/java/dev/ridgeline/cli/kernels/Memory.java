package dev.ridgeline.cli.kernels;

import java.util.Arrays;

/** Where an operation puts its results: into new arrays, or into those of its last call. */
enum Memory {
  ALLOCATING,
  REUSING;

  String label() {
    return name().toLowerCase();
  }

  /** Rows of zeros in the shape of {@code last}. */
  float[][] rows(float[][] last) {
    if (this == ALLOCATING) return new float[last.length][last[0].length];
    for (float[] row : last) Arrays.fill(row, 0);
    return last;
  }
}
