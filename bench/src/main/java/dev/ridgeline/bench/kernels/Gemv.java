package dev.ridgeline.bench.kernels;

import dev.ridgeline.bench.Options;
import dev.ridgeline.bench.Options.BadUsage;
import dev.ridgeline.bench.Results;
import dev.ridgeline.bench.kernels.TimedProduct.Taken;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import dev.ridgeline.tensor.tune.Tiling;
import java.util.ArrayList;
import java.util.List;

/**
 * One row times matrices in turns that no cache holds, between two readings of memory in the same
 * large pages. Bytes are those of the weights alone.
 */
public final class Gemv {
  private static final int ROUNDS = 9;
  private static final int[] CORES = {1, 2};

  /** Of all matrices together at least; a quick trial has less. */
  private static final long BYTES = 512 << 20;

  private static final long QUICK_BYTES = 64 << 20;

  /** Times round all matrices in a round, and before the first. */
  private static final int TIMES = 3;

  private static final int WARM_TIMES = 8;

  private final Options options;
  private final Roof roof = new Roof();
  private final List<Figure> figures = new ArrayList<>();

  private Gemv(Options options) {
    this.options = options;
  }

  public static void main(String[] args) {
    Options.run("gemv", () -> new Gemv(Options.of(args, ROUNDS)).run());
  }

  private List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (String word : options.rest()) {
      Shape shape = Shape.parse(word);
      if (shape == null || shape.rows() != 1) {
        throw new BadUsage(word + ": say TYPE:1xINPUTSxOUTPUTS, q8_0:1x2048x32000");
      }
      shapes.add(shape);
    }
    if (!shapes.isEmpty()) return shapes;
    for (String type : List.of("Q8_0", "Q4_0", "Q4_K", "Q6_K", "F16", "F32")) {
      shapes.add(new Shape(TensorType.valueOf(type), 1, 2048, 32000));
      shapes.add(new Shape(TensorType.valueOf(type), 1, 2048, 5632));
    }
    return shapes;
  }

  private void run() {
    List<Shape> shapes = shapes();
    Kernels kernels = new AssembledKernels(new VectorKernels(), Tiling.here());
    String heading = Results.heading(options);
    System.out.println(heading);
    System.out.println(kernels.description());
    System.out.printf(
        "%-20s %8s %5s  %9s  %9s  %s%n",
        "product", "matrices", "cores", "DRAM GB/s", "weights", "reached");
    for (Shape shape : shapes) measure(shape, kernels);
    Results.write(options, heading, "figures", json -> figures.forEach(each -> each.write(json)));
    roof.close();
  }

  private void measure(Shape shape, Kernels kernels) {
    long all = options.quick() ? QUICK_BYTES : BYTES;
    int copies = (int) ((all + shape.weightBytes() - 1) / shape.weightBytes());
    try (var product = new TimedProduct(shape, kernels, copies)) {
      product.check();
      List<Figure> own = new ArrayList<>();
      for (int cores : CORES) {
        product.secondsAround(cores, options.quick() ? 1 : WARM_TIMES);
        roof.memory(cores);
        double bar = cores == 1 ? 0 : bar(shape.type());
        own.add(new Figure(shape.toString(), "assembled", cores, "B/s", options.rounds(), bar));
      }
      for (int round = 0; round < options.rounds(); round++) {
        for (Figure figure : own) {
          double before = roof.memory(figure.cores());
          Taken taken = product.secondsAround(figure.cores(), TIMES);
          double after = roof.memory(figure.cores());
          figure.set(round, taken, shape.weightBytes(), before, after);
        }
      }
      for (Figure figure : own) {
        System.out.printf(
            "%-20s %8d %5d  %9.1f  %9.1f  %s%n",
            figure.what(),
            product.matrices(),
            figure.cores(),
            Median.of(figure.ceilings()) / 1e9,
            Median.of(figure.rates()) / 1e9,
            figure.told());
      }
      figures.addAll(own);
    }
  }

  private static double bar(TensorType type) {
    return switch (type) {
      case Q8_0 -> 0.9;
      case Q4_0 -> 0.85;
      default -> 0;
    };
  }
}
