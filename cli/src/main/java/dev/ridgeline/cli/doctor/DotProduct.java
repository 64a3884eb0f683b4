package dev.ridgeline.cli.doctor;

import java.util.Random;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The same dot product twice, in Vector API code and in plain Java, both with four accumulators:
 * what the doctor compares to see whether vector code becomes vector instructions. Apart from
 * {@link VectorProbe}, because this class loads only where the module is.
 */
final class DotProduct {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

  /** Two arrays of it fit in 32 kB; a multiple of four vectors of any width up to 2,048 bits. */
  static final int LENGTH = 2048;

  private final float[] a = new float[LENGTH];
  private final float[] b = new float[LENGTH];

  DotProduct() {
    var random = new Random(42);
    for (int i = 0; i < LENGTH; i++) {
      a[i] = random.nextFloat() - 0.5f;
      b[i] = random.nextFloat() - 0.5f;
    }
  }

  static int lanes() {
    return SPECIES.length();
  }

  static int bits() {
    return SPECIES.vectorBitSize();
  }

  float vector() {
    var sum0 = FloatVector.zero(SPECIES);
    var sum1 = FloatVector.zero(SPECIES);
    var sum2 = FloatVector.zero(SPECIES);
    var sum3 = FloatVector.zero(SPECIES);
    int step = SPECIES.length();
    for (int i = 0; i < LENGTH; i += 4 * step) {
      sum0 = load(a, i).fma(load(b, i), sum0);
      sum1 = load(a, i + step).fma(load(b, i + step), sum1);
      sum2 = load(a, i + 2 * step).fma(load(b, i + 2 * step), sum2);
      sum3 = load(a, i + 3 * step).fma(load(b, i + 3 * step), sum3);
    }
    return sum0.add(sum1).add(sum2.add(sum3)).reduceLanes(VectorOperators.ADD);
  }

  float scalar() {
    float sum0 = 0;
    float sum1 = 0;
    float sum2 = 0;
    float sum3 = 0;
    for (int i = 0; i < LENGTH; i += 4) {
      sum0 = Math.fma(a[i], b[i], sum0);
      sum1 = Math.fma(a[i + 1], b[i + 1], sum1);
      sum2 = Math.fma(a[i + 2], b[i + 2], sum2);
      sum3 = Math.fma(a[i + 3], b[i + 3], sum3);
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  /** Whether both agree, relative to Σ|a·b|: they add in different orders. */
  boolean agrees() {
    double magnitude = 0;
    for (int i = 0; i < LENGTH; i++) magnitude += Math.abs(a[i] * (double) b[i]);
    return Math.abs(vector() - scalar()) <= 1e-6 * magnitude;
  }

  private static FloatVector load(float[] array, int at) {
    return FloatVector.fromArray(SPECIES, array, at);
  }
}
