package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.quant.Quantizer;
import java.lang.foreign.Arena;

/**
 * Multiplies quantized weights as f32, which they become when they are packed. They take several
 * times the memory, but plain loops over what they were would take a hundred times as long.
 */
final class WidenedMultiplier implements Multiplier {
  private final FloatMultiplier floats;
  private final TensorType type;

  WidenedMultiplier(TensorType type, FloatMultiplier floats) {
    this.floats = floats;
    this.type = type;
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return floats.packedBytes(outputs, inputs);
  }

  @Override
  public boolean pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    long panelBytes = floats.packedBytes(PANEL, inputs);
    try (Arena arena = Arena.ofConfined()) {
      long wide = arena.allocate(panelBytes, Memory.ALIGNMENT).address();
      for (int panel = panelFrom; panel < panelTo; panel++) {
        int columns = Math.min(PANEL, outputs - panel * PANEL);
        long from = rows + panel * type.bytes((long) PANEL * inputs);
        Quantizer.dequantize(type, from, (long) columns * inputs, wide);
        floats.pack(wide, columns, inputs, packed + panel * panelBytes, 0, 1);
      }
    }
    return true;
  }

  @Override
  public void multiply(
      Multiplication product, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    floats.multiply(product, rowFrom, rowTo, panelFrom, panelTo, epoch);
  }
}
