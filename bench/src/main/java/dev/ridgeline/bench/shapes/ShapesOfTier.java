package dev.ridgeline.bench.shapes;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import dev.ridgeline.tensor.tune.Tiling;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * All shapes in the tier of this process. Where it is, is in a file that outlives the JVM: a kernel
 * that touches what it may not ends it.
 */
final class ShapesOfTier implements AutoCloseable {
  /** One of so many cases is for the kernels of a JVM without the Vector API. */
  private static final int WITHOUT_VECTORS = 8;

  /** Of a hundred cases, products and attention; the rest are rows. */
  private static final int PRODUCTS = 70;

  private static final int ATTENTION = 15;

  private final Checks usual;
  private final Checks without;

  /** All checks of a family. */
  private record Checks(
      Stage stage, ProductCheck products, AttentionCheck attention, RowsCheck rows) {
    static Checks of(Kernels kernels) {
      var stage = new Stage(kernels);
      return new Checks(
          stage, new ProductCheck(stage), new AttentionCheck(stage), new RowsCheck(stage));
    }

    void run(long seed) {
      stage.begin(seed);
      int chance = stage.random.nextInt(100);
      if (chance < PRODUCTS) products.run();
      else if (chance < PRODUCTS + ATTENTION) attention.run();
      else rows.run();
    }
  }

  /**
   * @param kernels beside vector kernels
   * @param withoutVectors beside plain Java
   */
  ShapesOfTier(Kernels kernels, Kernels withoutVectors) {
    usual = Checks.of(kernels);
    without = Checks.of(withoutVectors);
  }

  /** One case; {@link Wrong} says what is. */
  void run(long seed) {
    (seed % WITHOUT_VECTORS == 0 ? without : usual).run(seed);
  }

  @Override
  public void close() {
    usual.stage.close();
    without.stage.close();
  }

  /** How many, from which seed on, and the file that says which one is on. */
  public static void main(String[] args) throws IOException {
    long count = Long.parseLong(args[0]);
    long first = Long.parseLong(args[1]);
    Kernels kernels = new AssembledKernels(new VectorKernels(), Tiling.here());
    System.out.println(kernels.description());
    try (var shapes =
            new ShapesOfTier(kernels, new AssembledKernels(new ScalarKernels(), Tiling.here()));
        Arena arena = Arena.ofConfined();
        FileChannel file =
            FileChannel.open(Path.of(args[2]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment on = file.map(MapMode.READ_WRITE, 0, Long.BYTES, arena);
      for (long seed = first; seed < first + count; seed++) {
        on.set(JAVA_LONG, 0, seed);
        try {
          shapes.run(seed);
        } catch (Wrong e) {
          System.out.println("WRONG, seed %d: %s".formatted(seed, e.getMessage()));
          System.exit(1);
        }
      }
    }
  }
}
