package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import dev.ridgeline.tensor.Pairing;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;

/** Turns pairs of numbers back by the angle of a position. */
final class RopeBackward {
  /** Each number's other one. */
  private static final VectorShuffle<Float> OTHER = VectorShuffle.fromOp(F, i -> i ^ 1);

  /** The angles of the pairs in a vector, each twice: from the first or the second half. */
  private static final VectorShuffle<Float> FIRST = VectorShuffle.fromOp(F, i -> i / 2);

  private static final VectorShuffle<Float> SECOND =
      VectorShuffle.fromOp(F, i -> COUNT / 2 + i / 2);

  /** Pairs turn back: the second of them loses what the first has. */
  private static final FloatVector SIGN = FloatVector.fromArray(F, signs(), 0);

  private RopeBackward() {}

  private static float[] signs() {
    float[] signs = new float[COUNT];
    for (int i = 0; i < COUNT; i++) signs[i] = i % 2 == 0 ? 1 : -1;
    return signs;
  }

  static void turn(Pairing pairing, long x, int half, long angles) {
    if (pairing == Pairing.HALVES) halves(x, half, angles);
    else neighbours(x, half, angles);
  }

  /** Pairs (j, j + half). */
  private static void halves(long x, int half, long angles) {
    long y = x + 4L * half;
    long sines = angles + 4L * half;
    int i = 0;
    for (; i < Lanes.whole(half); i += COUNT) {
      FloatVector a = FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE);
      FloatVector b = FloatVector.fromMemorySegment(F, ALL, y + 4L * i, LE);
      FloatVector cos = FloatVector.fromMemorySegment(F, ALL, angles + 4L * i, LE);
      FloatVector sin = FloatVector.fromMemorySegment(F, ALL, sines + 4L * i, LE);
      a.fma(cos, b.mul(sin)).intoMemorySegment(ALL, x + 4L * i, LE);
      b.fma(cos, a.mul(sin).neg()).intoMemorySegment(ALL, y + 4L * i, LE);
    }
    for (; i < half; i++) pair(x + 4L * i, y + 4L * i, angles + 4L * i, sines + 4L * i);
  }

  /** Pairs (2j, 2j + 1). */
  private static void neighbours(long x, int half, long angles) {
    long sines = angles + 4L * half;
    int i = 0;
    for (; i < Lanes.whole(half); i += COUNT) {
      FloatVector cos = FloatVector.fromMemorySegment(F, ALL, angles + 4L * i, LE);
      FloatVector sin = FloatVector.fromMemorySegment(F, ALL, sines + 4L * i, LE);
      FloatVector a = FloatVector.fromMemorySegment(F, ALL, x + 8L * i, LE);
      FloatVector b = FloatVector.fromMemorySegment(F, ALL, x + 8L * i + BYTES, LE);
      a.fma(cos.rearrange(FIRST), a.rearrange(OTHER).mul(sin.rearrange(FIRST)).mul(SIGN))
          .intoMemorySegment(ALL, x + 8L * i, LE);
      b.fma(cos.rearrange(SECOND), b.rearrange(OTHER).mul(sin.rearrange(SECOND)).mul(SIGN))
          .intoMemorySegment(ALL, x + 8L * i + BYTES, LE);
    }
    for (; i < half; i++) pair(x + 8L * i, x + 8L * i + 4, angles + 4L * i, sines + 4L * i);
  }

  private static void pair(long x, long y, long cosine, long sine) {
    float a = Lanes.get(x);
    float b = Lanes.get(y);
    float cos = Lanes.get(cosine);
    float sin = Lanes.get(sine);
    Lanes.set(x, Math.fma(a, cos, b * sin));
    Lanes.set(y, Math.fma(b, cos, -(a * sin)));
  }
}
