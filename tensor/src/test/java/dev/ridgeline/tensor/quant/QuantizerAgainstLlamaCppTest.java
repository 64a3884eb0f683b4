package dev.ridgeline.tensor.quant;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.oracle.LlamaCpp;
import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks are compared with those that llama.cpp makes of the same numbers. */
class QuantizerAgainstLlamaCppTest {
  private static final long ROWS = 800;
  private static final long COLUMNS = 1024;
  private static final long COUNT = ROWS * COLUMNS;

  @ParameterizedTest
  @MethodSource("dev.ridgeline.tensor.quant.Blocks#writableTypes")
  void blocksAreTheSameToTheBit(TensorType type) {
    LlamaCpp llama = LlamaCpp.fetch();
    for (long seed = 1; seed <= 4; seed++) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment numbers = Numbers.of(arena, ROWS, COLUMNS, seed);
        MemorySegment theirs = arena.allocate(type.bytes(COUNT), 64);
        MemorySegment ours = arena.allocate(type.bytes(COUNT), 64);
        llama.quantize(type.code(), numbers, ROWS, COLUMNS, theirs);
        Quantizer.quantize(type, numbers.address(), ROWS, COLUMNS, ours.address());
        assertThat(ours.mismatch(theirs)).as("byte that differs, seed %d", seed).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"I32", "F32"})
  void blocksAreReadAsTheSameNumbers(TensorType type) {
    LlamaCpp llama = LlamaCpp.fetch();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = Numbers.of(arena, ROWS, COLUMNS, 43);
      MemorySegment blocks = arena.allocate(type.bytes(COUNT), 64);
      llama.quantize(type.code(), numbers, ROWS, COLUMNS, blocks);
      assertThat(mismatch(llama, type, blocks, arena)).as("byte that differs").isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ridgeline.tensor.quant.Blocks#writableTypes")
  void theGoldenBlocksAreStillThose(TensorType type) {
    LlamaCpp llama = LlamaCpp.fetch();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = Numbers.of(arena, Golden.ROWS, Golden.COLUMNS, Golden.SEED);
      MemorySegment theirs = arena.allocate(type.bytes(Golden.ROWS * Golden.COLUMNS), 64);
      llama.quantize(type.code(), numbers, Golden.ROWS, Golden.COLUMNS, theirs);
      assertThat(Golden.digest(theirs)).isEqualTo(Golden.blocks(type));
    }
  }

  /** Whatever bits a block has, as long as its scales are finite. */
  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"I32", "F32", "F16", "BF16"})
  void blocksOfAnyBitsAreReadAsTheSameNumbers(TensorType type) {
    LlamaCpp llama = LlamaCpp.fetch();
    for (long seed = 1; seed <= 4; seed++) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment blocks = Blocks.of(type, COUNT, seed, arena);
        assertThat(mismatch(llama, type, blocks, arena)).as("seed %d", seed).isEqualTo(-1);
      }
    }
  }

  /** Each of the 256 exponents with each of the 16 floats. */
  @Test
  void everyFloatOfMxfp4IsTheSame() {
    LlamaCpp llama = LlamaCpp.fetch();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment blocks = arena.allocate(TensorType.MXFP4.bytes(256 * 32), 64);
      for (int e = 0; e < 256; e++) {
        blocks.set(JAVA_BYTE, 17 * e, (byte) e);
        for (int i = 0; i < 16; i++)
          blocks.set(JAVA_BYTE, 17 * e + 1 + i, (byte) (i << 4 | 15 - i));
      }
      assertThat(mismatch(llama, TensorType.MXFP4, blocks, arena)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ridgeline.tensor.quant.Blocks#readOnlyTypes")
  void theGoldenNumbersAreStillThose(TensorType type) {
    LlamaCpp llama = LlamaCpp.fetch();
    try (Arena arena = Arena.ofConfined()) {
      long count = Golden.ROWS * Golden.COLUMNS;
      MemorySegment blocks = Blocks.of(type, count, Golden.SEED, arena);
      MemorySegment theirs = arena.allocate(4 * count, 64);
      llama.dequantize(type.code(), type.word(), blocks, count, theirs);
      assertThat(Golden.digest(theirs)).isEqualTo(Golden.numbers(type));
    }
  }

  private static long mismatch(LlamaCpp llama, TensorType type, MemorySegment blocks, Arena arena) {
    long count = blocks.byteSize() / type.blockBytes() * type.blockSize();
    MemorySegment theirs = arena.allocate(4 * count, 64);
    MemorySegment ours = arena.allocate(4 * count, 64);
    llama.dequantize(type.code(), type.word(), blocks, count, theirs);
    Quantizer.dequantize(type, blocks.address(), count, ours.address());
    return ours.mismatch(theirs);
  }
}
