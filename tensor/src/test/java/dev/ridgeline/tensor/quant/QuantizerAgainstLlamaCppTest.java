package dev.ridgeline.tensor.quant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.oracle.LlamaCpp;
import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Blocks are compared with those that llama.cpp makes of the same numbers. */
class QuantizerAgainstLlamaCppTest {
  private static final long ROWS = 800;
  private static final long COLUMNS = 1024;
  private static final long COUNT = ROWS * COLUMNS;

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "I32")
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
      MemorySegment theirs = arena.allocate(4 * COUNT, 64);
      MemorySegment ours = arena.allocate(4 * COUNT, 64);
      llama.dequantize(type.code(), type.word(), blocks, COUNT, theirs);
      Quantizer.dequantize(type, blocks.address(), COUNT, ours.address());
      assertThat(ours.mismatch(theirs)).as("byte that differs").isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "I32")
  void theGoldenBlocksAreStillThose(TensorType type) {
    LlamaCpp llama = LlamaCpp.fetch();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = Numbers.of(arena, Golden.ROWS, Golden.COLUMNS, Golden.SEED);
      MemorySegment theirs = arena.allocate(type.bytes(Golden.ROWS * Golden.COLUMNS), 64);
      llama.quantize(type.code(), numbers, Golden.ROWS, Golden.COLUMNS, theirs);
      assertThat(Golden.digest(theirs)).isEqualTo(Golden.blocks(type));
    }
  }
}
