package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Quantized rows as a file has them, rearranged into panels by a {@link LevelPacker}. */
final class PackedLevels {
  /** Inputs of a call at most, however long rows are: some 100 µs, and safepoints wait. */
  private static final int CALL = 1 << 14;

  private static final int LANES = 16;

  /** Where each row of a panel begins, after the first one, and what the packer has seen. */
  private static final ThreadLocal<MemorySegment> TABLE =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(JAVA_INT, PANEL + LANES));

  private final PanelForm form;
  private final Function packer;

  PackedLevels(PanelForm form, int bits) {
    this.form = form;
    String id = "pack-" + form.type.word() + (bits == 512 ? "-avx512" : "-avx2");
    this.packer = Code.function(id, new LevelPacker(form, bits));
  }

  /**
   * Outputs that a panel has too many become levels of nothing, with scales of nothing.
   *
   * @return whether every scale is finite
   */
  boolean pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    long rowBytes = form.type.bytes(inputs);
    long panelBytes = form.panelBytes(inputs);
    int size = form.type.blockSize();
    int steps = inputs / size;
    int most = CALL / size;
    MemorySegment table = TABLE.get();
    for (int column = 0; column < PANEL; column++) {
      table.setAtIndex(JAVA_INT, column, Math.toIntExact(column * rowBytes));
    }
    for (int lane = 0; lane < LANES; lane++) table.setAtIndex(JAVA_INT, PANEL + lane, 0);
    for (int panel = panelFrom; panel < panelTo; panel++) {
      int columns = Math.min(PANEL, outputs - panel * PANEL);
      // The packer reads whole numbers of four bytes, also where the last block ends earlier.
      long from = rows + panel * PANEL * rowBytes;
      long at = CopiedRows.own().of(from, columns, rowBytes, rowBytes);
      for (int step = 0; step < steps; step += most) {
        packer.call(
            at + (long) form.type.blockBytes() * step,
            table.address(),
            packed + panel * panelBytes + panelBytes / steps * step,
            Math.min(most, steps - step),
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
