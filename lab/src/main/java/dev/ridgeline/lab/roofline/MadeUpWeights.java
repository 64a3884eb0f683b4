package dev.ridgeline.lab.roofline;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.quant.RandomBlocks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/** Numbers to multiply with where it only matters how many there are. */
public final class MadeUpWeights {
  /** Rows that are made up; the matrix repeats them, which costs the kernels the same. */
  private static final int MADE_UP = 32;

  private MadeUpWeights() {}

  /** The matrix of a product, as long as the arena lives. */
  public static GgufTensor of(Product product, Arena arena) {
    int made = Math.min(MADE_UP, product.outputs());
    long columns = product.inputs();
    long row = product.type().bytes(columns);
    MemorySegment data = arena.allocate(row * product.outputs(), Memory.ALIGNMENT);
    RandomBlocks.fill(product.type(), data.address(), made * row, new SplittableRandom(7));
    for (long i = made; i < product.outputs(); i++) {
      MemorySegment.copy(data, i % made * row, data, i * row, row);
    }
    var shape = List.of(columns, (long) product.outputs());
    return new GgufTensor("weights", product.type(), shape, data);
  }

  /** So many between −1 and 1, always the same. */
  public static float[] numbers(long count) {
    var random = new SplittableRandom(7);
    float[] numbers = new float[Math.toIntExact(count)];
    for (int i = 0; i < numbers.length; i++) numbers[i] = (float) random.nextDouble(-1, 1);
    return numbers;
  }
}
