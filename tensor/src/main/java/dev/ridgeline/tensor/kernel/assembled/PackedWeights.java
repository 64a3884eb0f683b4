package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Rows as a file has them, rearranged by a {@link PanelPacker}, where registers have 512 bits. */
enum PackedWeights {
  Q8_0(TensorType.Q8_0),
  Q4_0(TensorType.Q4_0);

  /** Steps of a call at most, however long rows are: some 100 µs, and safepoints wait. */
  private static final int CALL = 4096;

  private static final int LANES = 16;

  /** What a thread packs with; matrices in files ask often. */
  private static final class Scratch {
    /** Where each row of a panel begins, behind the first one, and what the packer has seen. */
    final MemorySegment table = Arena.ofAuto().allocate(JAVA_INT, PANEL + LANES);

    private MemorySegment rows = MemorySegment.NULL;

    /**
     * A copy of rows. They may lie in a file that somebody cuts short meanwhile: Java's own copying
     * survives that, with an error, and assembled code would not.
     */
    long copy(long from, long bytes) {
      if (rows.byteSize() < bytes) rows = Arena.ofAuto().allocate(bytes, Memory.ALIGNMENT);
      MemorySegment.copy(ALL, from, ALL, rows.address(), bytes);
      return rows.address();
    }
  }

  private static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial(Scratch::new);

  private final TensorType type;
  private final Function packer;

  PackedWeights(TensorType type) {
    this.type = type;
    this.packer = Code.function("pack-" + type.word() + "-avx512", new PanelPacker(type));
  }

  /**
   * Outputs that a panel has too many become nothing, like blocks whose scale is zero.
   *
   * @param panelBytes from a panel to the next
   * @return whether every scale is finite
   */
  boolean pack(
      long rows,
      int outputs,
      int inputs,
      long packed,
      long panelBytes,
      int panelFrom,
      int panelTo) {
    long rowBytes = type.bytes(inputs);
    int steps = inputs / type.blockSize();
    Scratch own = OWN.get();
    MemorySegment table = own.table;
    for (int column = 0; column < PANEL; column++) {
      table.setAtIndex(JAVA_INT, column, Math.toIntExact(column * rowBytes));
    }
    for (int lane = 0; lane < LANES; lane++) table.setAtIndex(JAVA_INT, PANEL + lane, 0);
    for (int panel = panelFrom; panel < panelTo; panel++) {
      int columns = Math.min(PANEL, outputs - panel * PANEL);
      long at = own.copy(rows + panel * PANEL * rowBytes, columns * rowBytes);
      for (int step = 0; step < steps; step += CALL) {
        packer.call(
            at + rowBytes / steps * step,
            table.address(),
            packed + panel * panelBytes + panelBytes / steps * step,
            Math.min(CALL, steps - step),
            columns,
            table.address() + 4L * PANEL);
      }
    }
    boolean finite = true;
    for (int lane = 0; lane < LANES; lane++) {
      finite &= table.getAtIndex(JAVA_INT, PANEL + lane) == 0;
    }
    return finite;
  }
}
