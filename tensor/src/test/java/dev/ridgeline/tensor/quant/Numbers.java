package dev.ridgeline.tensor.quant;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/** Seeded numbers to quantize, a row for each kind that weights and accidents come in. */
final class Numbers {
  private static final int KINDS = 8;

  private Numbers() {}

  /** Rows, each of another kind than the one before. */
  static MemorySegment of(Arena arena, long rows, long columns, long seed) {
    MemorySegment out = arena.allocate(4 * rows * columns, 64);
    Random random = new Random(seed);
    for (long r = 0; r < rows; r++) {
      for (long c = 0; c < columns; c++) {
        out.setAtIndex(JAVA_FLOAT, r * columns + c, number((int) (r % KINDS), c, random));
      }
    }
    return out;
  }

  private static float number(int kind, long column, Random random) {
    float normal = (float) random.nextGaussian();
    return switch (kind) {
      case 0 -> normal;
      case 1 -> normal * 0.02f;
      case 2 -> random.nextInt(50) == 0 ? normal * 30 : normal; // outliers
      case 3 -> Math.abs(normal) + 3; // one sign
      case 4 -> random.nextInt(17) - 8; // ties
      case 5 -> column / 256 % 2 == 0 ? 0 : normal * 1e-7f; // zeros, and nearly
      case 6 -> column % 512 < 256 ? 0.25f : normal * 1e-38f; // constants, and subnormal
      default -> random.nextFloat() * 1000 - 500;
    };
  }
}
