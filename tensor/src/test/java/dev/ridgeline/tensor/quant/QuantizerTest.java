package dev.ridgeline.tensor.quant;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QuantizerTest {
  private static final long ROWS = Golden.ROWS;
  private static final long COLUMNS = Golden.COLUMNS;
  private static final long COUNT = ROWS * COLUMNS;

  @ParameterizedTest
  @MethodSource("dev.ridgeline.tensor.quant.Blocks#writableTypes")
  void blocksAreTheGoldenOnes(TensorType type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = Numbers.of(arena, ROWS, COLUMNS, Golden.SEED);
      MemorySegment blocks = arena.allocate(type.bytes(COUNT), 64);
      Quantizer.quantize(type, numbers.address(), ROWS, COLUMNS, blocks.address());
      assertThat(Golden.digest(blocks)).isEqualTo(Golden.blocks(type));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ridgeline.tensor.quant.Blocks#writableTypes")
  void rowsMayBeQuantizedInAnyRanges(TensorType type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = Numbers.of(arena, ROWS, COLUMNS, 5);
      MemorySegment whole = arena.allocate(type.bytes(COUNT), 64);
      MemorySegment split = arena.allocate(type.bytes(COUNT), 64);
      Quantizer.quantize(type, numbers.address(), ROWS, COLUMNS, whole.address());
      for (long row = 0; row < ROWS; row += 7) {
        long rows = Math.min(7, ROWS - row);
        long from = numbers.address() + 4 * row * COLUMNS;
        Quantizer.quantize(type, from, rows, COLUMNS, split.address() + row * type.bytes(COLUMNS));
      }
      assertThat(split.mismatch(whole)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ridgeline.tensor.quant.Blocks#writableTypes")
  void whatIsReadBackIsNearTheNumbers(TensorType type) {
    // Of a normal distribution, relative to its deviation: what the bits of each type allow.
    double tolerated =
        switch (type) {
          case F32 -> 0;
          case F16 -> 3e-4;
          case BF16 -> 2e-3;
          case Q8_0 -> 6e-3;
          case Q6_K -> 0.02;
          case Q5_K, Q5_1, Q5_0 -> 0.05;
          default -> 0.1;
        };
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = Numbers.of(arena, 1, COLUMNS, 6); // the first row is normal
      MemorySegment blocks = arena.allocate(type.bytes(COLUMNS), 64);
      MemorySegment back = arena.allocate(4 * COLUMNS, 64);
      Quantizer.quantize(type, numbers.address(), 1, COLUMNS, blocks.address());
      Quantizer.dequantize(type, blocks.address(), COLUMNS, back.address());
      double squares = 0;
      for (long i = 0; i < COLUMNS; i++) {
        double error = back.getAtIndex(JAVA_FLOAT, i) - numbers.getAtIndex(JAVA_FLOAT, i);
        squares += error * error;
      }
      assertThat(Math.sqrt(squares / COLUMNS)).isLessThanOrEqualTo(tolerated);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ridgeline.tensor.quant.Blocks#readOnlyTypes")
  void blocksAreReadAsTheGoldenNumbers(TensorType type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment blocks = Blocks.of(type, COUNT, Golden.SEED, arena);
      MemorySegment numbers = arena.allocate(4 * COUNT, 64);
      Quantizer.dequantize(type, blocks.address(), COUNT, numbers.address());
      assertThat(Golden.digest(numbers)).isEqualTo(Golden.numbers(type));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ridgeline.tensor.quant.Blocks#readOnlyTypes")
  void quantizingToATypeThatIsOnlyReadIsRefused(TensorType type) {
    assertThatThrownBy(() -> Quantizer.quantize(type, 0, 1, 256, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(type.word() + " can be read but not written: choose another type");
  }

  @Test
  void rowsThatDoNotFillTheirBlocksAreRefused() {
    assertThatThrownBy(() -> Quantizer.quantize(TensorType.Q4_K, 0, 2, 128, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("128 numbers do not fill blocks of 256 (q4_k)");
  }

  @Test
  void wholeNumbersAreNoWeights() {
    assertThatThrownBy(() -> Quantizer.dequantize(TensorType.I32, 0, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
