package dev.ridgeline.tensor.quant;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Seeded blocks of any bits, with scales that are any finite numbers; and types to try. */
final class Blocks {
  private static final int INFINITE = 0x7c00;

  private Blocks() {}

  static Stream<TensorType> writableTypes() {
    return Arrays.stream(TensorType.values())
        .filter(type -> type.writable() && type != TensorType.I32);
  }

  static Stream<TensorType> readOnlyTypes() {
    return Arrays.stream(TensorType.values()).filter(type -> !type.writable());
  }

  static MemorySegment of(TensorType type, long count, long seed, Arena arena) {
    var random = new SplittableRandom(seed);
    MemorySegment blocks = arena.allocate(type.bytes(count), 64);
    byte[] bytes = new byte[(int) blocks.byteSize()];
    random.nextBytes(bytes);
    blocks.copyFrom(MemorySegment.ofArray(bytes));
    for (long at = 0; at < blocks.byteSize(); at += type.blockBytes()) {
      for (int scale : scales(type)) {
        short half = blocks.get(JAVA_SHORT_UNALIGNED, at + scale);
        if ((half & INFINITE) == INFINITE) half ^= 0x4000;
        blocks.set(JAVA_SHORT_UNALIGNED, at + scale, half);
      }
    }
    return blocks;
  }

  /** Where a block has its f16. */
  private static int[] scales(TensorType type) {
    return switch (type) {
      case Q4_0, Q5_0, Q8_0, IQ4_NL, IQ4_XS -> new int[] {0};
      case Q4_1, Q5_1, Q4_K, Q5_K -> new int[] {0, 2};
      case Q6_K -> new int[] {208};
      case Q2_K -> new int[] {80, 82};
      case Q3_K -> new int[] {108};
      default -> new int[0];
    };
  }
}
