package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.assembled.Transposer.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Rows of f32, f16 or bf16 as a file has them, turned into panels. */
final class FloatPanels {
  /** Bytes of 32 numbers of f32, or of two lines of 16 bits each. */
  private static final int LINE = 4 * PANEL;

  /** Words of four bytes of a row that are always turned together. */
  private static final int WORDS = 16;

  /** Words of a row in a call at most: some 50 µs, and safepoints wait. */
  private static final int CALL = 4096;

  private static final int CACHE_LINE = 64;

  /** The last lines of a panel, which must not be written beyond; one for each thread. */
  private static final ThreadLocal<MemorySegment> END =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(WORDS * LINE, Memory.ALIGNMENT));

  private final TensorType type;
  private final Function transposer;

  /**
   * @param bits of registers
   */
  FloatPanels(FloatKind kind, int bits) {
    type = kind.type;
    Kind numbers = kind.half() ? Kind.HALVES : Kind.WORDS;
    String id = "pack-" + numbers.word() + "-" + Registers.word(bits);
    transposer = Code.function(id, new Transposer(numbers, bits));
  }

  long bytes(int inputs) {
    return type.bytes((long) PANEL * inputs);
  }

  /** Outputs that a panel has too many become zeros. */
  void pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    CopiedRows own = CopiedRows.own();
    long rowBytes = type.bytes(inputs);
    boolean crowded = FloatMultiplier.crowded(rowBytes, WORDS);
    long stride = crowded ? rowBytes + CACHE_LINE : rowBytes;
    int wordInputs = 4 / type.blockBytes();
    int whole = inputs / (WORDS * wordInputs) * WORDS;
    int left = inputs - whole * wordInputs;
    for (int panel = panelFrom; panel < panelTo; panel++) {
      int count = Math.min(PANEL, outputs - panel * PANEL);
      long at = own.of(rows + panel * PANEL * rowBytes, count, rowBytes, stride);
      long to = packed + panel * bytes(inputs);
      for (int word = 0; word < whole; word += CALL) {
        turn(at + 4L * word, stride, Math.min(CALL, whole - word), to + (long) LINE * word);
      }
      if (left > 0) {
        // Behind the last input of this panel is the next one.
        long end = END.get().address();
        turn(at + 4L * whole, stride, (left + wordInputs - 1) / wordInputs, end);
        MemorySegment.copy(ALL, end, ALL, to + (long) LINE * whole, bytes(left));
      }
    }
  }

  private void turn(long rows, long stride, int words, long to) {
    transposer.call(rows, stride, words, to, 0, PANEL);
  }
}
