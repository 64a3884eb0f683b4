package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.ridgeline.tensor.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Quantized rows as a file has them, rearranged into panels by a {@link LevelPacker}. */
final class PackedLevels {
  /** Inputs of a call at most, however long rows are: some 100 µs, and safepoints wait. */
  private static final int CALL = 1 << 14;

  /** The packer reads whole numbers of four bytes, also where the last block ends earlier. */
  private static final int MARGIN = 4;

  private static final int LANES = 16;

  /** What a thread packs with; matrices in files ask often. */
  private static final class Scratch {
    /** Where each row of a panel begins, after the first one, and what the packer has seen. */
    final MemorySegment table = Arena.ofAuto().allocate(JAVA_INT, PANEL + LANES);

    private MemorySegment rows = MemorySegment.NULL;

    /**
     * A copy of rows. They may lie in a file that somebody cuts short meanwhile: Java's own copying
     * survives that, with an error, and assembled code would not.
     */
    long copy(long from, long bytes) {
      if (rows.byteSize() < bytes + MARGIN) {
        rows = Arena.ofAuto().allocate(bytes + MARGIN, Memory.ALIGNMENT);
      }
      MemorySegment.copy(ALL, from, ALL, rows.address(), bytes);
      return rows.address();
    }
  }

  private static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial(Scratch::new);

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
    Scratch own = OWN.get();
    MemorySegment table = own.table;
    for (int column = 0; column < PANEL; column++) {
      table.setAtIndex(JAVA_INT, column, Math.toIntExact(column * rowBytes));
    }
    for (int lane = 0; lane < LANES; lane++) table.setAtIndex(JAVA_INT, PANEL + lane, 0);
    for (int panel = panelFrom; panel < panelTo; panel++) {
      int columns = Math.min(PANEL, outputs - panel * PANEL);
      long at = own.copy(rows + panel * PANEL * rowBytes, columns * rowBytes);
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
