package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Rows as a file has them, rearranged by a {@link PanelPacker}, where registers have 512 bits. */
enum PackedWeights {
  Q8_0(TensorType.Q8_0),
  Q4_0(TensorType.Q4_0),
  F32(TensorType.F32),
  F16(TensorType.F16);

  /** Steps of a call at most, however long rows are: some 100 µs, and safepoints wait. */
  private static final int CALL = 4096;

  private static final int LANES = 16;

  /**
   * Where each row of a panel begins, behind the first one, and what the packer has seen; matrices
   * in files ask often.
   */
  private static final ThreadLocal<MemorySegment> TABLES =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(JAVA_INT, PANEL + LANES));

  private final TensorType type;
  private final Function packer;

  PackedWeights(TensorType type) {
    this.type = type;
    this.packer = Code.function("pack-" + type.word() + "-avx512", new PanelPacker(type));
  }

  /** Whether rows of this length can be packed: of f16, two numbers are read at once. */
  boolean takes(int inputs) {
    return inputs % PanelPacker.inputs(type) == 0;
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
    int steps = inputs / PanelPacker.inputs(type);
    MemorySegment table = TABLES.get();
    for (int column = 0; column < PANEL; column++) {
      table.setAtIndex(JAVA_INT, column, Math.toIntExact(column * rowBytes));
    }
    for (int lane = 0; lane < LANES; lane++) table.setAtIndex(JAVA_INT, PANEL + lane, 0);
    for (int panel = panelFrom; panel < panelTo; panel++) {
      for (int step = 0; step < steps; step += CALL) {
        packer.call(
            rows + panel * PANEL * rowBytes + rowBytes / steps * step,
            table.address(),
            packed + panel * panelBytes + panelBytes / steps * step,
            Math.min(CALL, steps - step),
            Math.min(PANEL, outputs - panel * PANEL),
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
