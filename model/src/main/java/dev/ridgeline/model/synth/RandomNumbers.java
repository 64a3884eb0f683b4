package dev.ridgeline.model.synth;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.ridgeline.model.draft.Numbers;
import dev.ridgeline.model.shape.Slot;
import java.lang.foreign.MemorySegment;

/**
 * Bell-shaped random numbers that depend on nothing but seed, tensor and place: any rows can be
 * made alone, on any JVM, to the bit.
 *
 * <p>A number is the sum of the four 16-bit parts of one 64-bit hash (SplitMix64), which is close
 * enough to a normal distribution for blocks of quantized types to look like real ones.
 */
record RandomNumbers(long stream, long columns, float mean, float deviation) implements Numbers {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  /** Four dice of 65,536 faces: their mean, and one over their deviation. */
  private static final float MIDDLE = 4 * 65_535 / 2f;

  private static final float SCALE = (float) (1 / Math.sqrt(4 * (65_536.0 * 65_536 - 1) / 12));

  /**
   * Numbers that suit a tensor: what goes through a matrix keeps its size, norms are near 1, and
   * tables make tokens and positions differ.
   */
  static RandomNumbers of(Slot slot, long seed) {
    long stream = mix(seed ^ mix(hash(slot.name())));
    return switch (slot.kind()) {
      case MATRIX, EMBEDDING -> numbers(stream, slot, 0, 1 / Math.sqrt(slot.columns()));
      case TABLE -> numbers(stream, slot, 0, 0.2 / Math.sqrt(slot.columns()));
      case BIAS -> numbers(stream, slot, 0, 0.02);
      case NORM -> numbers(stream, slot, 1, 0.05);
      case FACTORS -> throw new IllegalArgumentException(slot.name() + " is not random");
    };
  }

  private static RandomNumbers numbers(long stream, Slot slot, double mean, double deviation) {
    return new RandomNumbers(stream, slot.columns(), (float) mean, (float) deviation);
  }

  @Override
  public void read(long from, long to, MemorySegment out) {
    long first = from * columns;
    float factor = SCALE * deviation;
    for (long i = first; i < to * columns; i++) {
      long dice = mix(stream + i * GOLDEN);
      int sum =
          (int) (dice & 0xffff)
              + (int) (dice >>> 16 & 0xffff)
              + (int) (dice >>> 32 & 0xffff)
              + (int) (dice >>> 48);
      out.setAtIndex(JAVA_FLOAT_UNALIGNED, i - first, mean + (sum - MIDDLE) * factor);
    }
  }

  /** FNV-1a; {@link String#hashCode} has too few bits. */
  private static long hash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    return hash;
  }

  private static long mix(long x) {
    long mixed = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
