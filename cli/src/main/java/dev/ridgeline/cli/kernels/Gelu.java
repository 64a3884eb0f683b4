package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Profile.Work;

/**
 * GELU in its tanh form, written as {@code x / (1 + e^(−2u))}, {@code u = √(2/π)·(x +
 * 0.044715·x³)}.
 *
 * <p>Work per element: 5 for the argument, the exponential's {@value Exponential#FLOPS} (what it
 * really does), addition 1, division 1 FLOPs; 4 bytes read and 4 written.
 */
final class Gelu implements Kernel {
  private static final int FLOPS = 7 + Exponential.FLOPS;
  private static final float CUBIC = 0.044715f;
  private static final float MINUS_TWO_ROOT = (float) (-2 * Math.sqrt(2 / Math.PI));

  private final String name;
  private final float[][] x;
  private final float[][] y;

  Gelu(int elements, long seed) {
    this.name = "gelu " + Names.count(elements);
    this.x = new Data(name, seed).rows(1, elements, 6);
    this.y = new float[1][elements];
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String shape() {
    return x[0].length + " elements";
  }

  @Override
  public Work work() {
    return new Work(8L * x[0].length, (long) FLOPS * x[0].length);
  }

  @Override
  public void run() {
    gelu(x[0], y[0]);
  }

  static void gelu(float[] x, float[] y) {
    for (int j = 0; j < y.length; j++) {
      float v = x[j];
      y[j] = v / (1 + Exponential.of(MINUS_TWO_ROOT * (v + CUBIC * v * v * v)));
    }
  }

  @Override
  public float[][] output() {
    return y;
  }

  @Override
  public Reference reference(int row, int column) {
    double v = x[row][column];
    double u = Math.sqrt(2 / Math.PI) * (v + 0.044715 * v * v * v);
    return new Reference(0.5 * v * (1 + Math.tanh(u)), 3 * Exponential.ERROR * Math.abs(v) + 1e-12);
  }
}
