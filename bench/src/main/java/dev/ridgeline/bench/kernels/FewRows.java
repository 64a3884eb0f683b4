package dev.ridgeline.bench.kernels;

import dev.ridgeline.bench.Options;
import dev.ridgeline.bench.Options.BadUsage;
import dev.ridgeline.bench.Results;
import dev.ridgeline.bench.kernels.TimedProduct.Taken;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import dev.ridgeline.tensor.tune.Tiling;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A few rows together: how long they take beside one, and beside the least that memory and
 * arithmetic allow, which is the larger of the two times. Matrices take turns and no cache holds
 * them.
 */
public final class FewRows {
  private static final int ROUNDS = 7;
  private static final int CORES = 2;
  private static final int[] ROWS = {1, 2, 3, 4, 6, 8, 12, 16, 32, 64};
  private static final int MOST = 64;
  private static final long BYTES = 512 << 20;
  private static final long QUICK_BYTES = 64 << 20;
  private static final long NANOS = 60_000_000;
  private static final long WARM_NANOS = 200_000_000;

  private final Options options;
  private final Roof roof = new Roof();
  private final List<Figure> figures = new ArrayList<>();

  private FewRows(Options options) {
    this.options = options;
  }

  public static void main(String[] args) {
    Options.run("rows", () -> new FewRows(Options.of(args, ROUNDS)).run());
  }

  private List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (String word : options.rest()) {
      Shape shape = Shape.parse(word);
      if (shape == null) throw new BadUsage(word + ": say TYPE:1xINPUTSxOUTPUTS, q8_0:1x2048x5632");
      shapes.add(shape.withRows(MOST));
    }
    if (!shapes.isEmpty()) return shapes;
    for (String type : List.of("Q8_0", "Q4_0", "Q4_K", "Q6_K", "F16", "F32")) {
      shapes.add(new Shape(TensorType.valueOf(type), MOST, 2048, 5632));
    }
    return shapes;
  }

  private void run() {
    List<Shape> shapes = shapes();
    Kernels kernels = new AssembledKernels(new VectorKernels(), Tiling.here());
    String heading = Results.heading(options);
    System.out.println(heading);
    System.out.println(kernels.description() + ", 2 cores");
    for (Shape shape : shapes) measure(shape, kernels);
    Results.write(options, heading, "figures", json -> figures.forEach(each -> each.write(json)));
    roof.close();
  }

  private void measure(Shape shape, Kernels kernels) {
    long all = options.quick() ? QUICK_BYTES : BYTES;
    int copies = (int) ((all + shape.weightBytes() - 1) / shape.weightBytes());
    int rounds = options.rounds();
    try (var product = new TimedProduct(shape, kernels, copies)) {
      product.check();
      List<Figure> own = new ArrayList<>();
      for (int rows : ROWS) {
        product.seconds(CORES, rows, options.quick() ? 0 : WARM_NANOS);
        own.add(new Figure(shape.withRows(rows).toString(), "assembled", CORES, "/s", rounds, 0));
      }
      roof.memory(CORES);
      for (int round = 0; round < rounds; round++) {
        double before = roof.memory(CORES);
        Map<Arithmetic, Double> compute = compute(product);
        Taken[] taken = new Taken[ROWS.length];
        for (int i = 0; i < ROWS.length; i++) {
          taken[i] = product.seconds(CORES, ROWS[i], options.quick() ? 0 : NANOS);
        }
        double after = roof.memory(CORES);
        compute(product).forEach((kind, rate) -> compute.merge(kind, rate, FewRows::mean));
        for (int i = 0; i < ROWS.length; i++) {
          double arithmetic =
              compute.get(product.form(ROWS[i])) / shape.withRows(ROWS[i]).operations();
          double first = Math.min(before / shape.weightBytes(), arithmetic);
          double last = Math.min(after / shape.weightBytes(), arithmetic);
          own.get(i).set(round, taken[i], 1, first, last);
        }
      }
      print(shape, own);
      figures.addAll(own);
    }
  }

  /** What the machine can do just now in each form that these numbers of rows are multiplied in. */
  private Map<Arithmetic, Double> compute(TimedProduct product) {
    Map<Arithmetic, Double> rates = new EnumMap<>(Arithmetic.class);
    for (int rows : ROWS) {
      rates.computeIfAbsent(product.form(rows), kind -> roof.compute(kind, CORES));
    }
    return rates;
  }

  private static double mean(double a, double b) {
    return (a + b) / 2;
  }

  private static void print(Shape shape, List<Figure> own) {
    System.out.printf(
        "%n%s %d×%d%n%5s %9s %9s %11s %11s  %s%n",
        shape.type().word(),
        shape.inputs(),
        shape.outputs(),
        "rows",
        "ms",
        "ms a row",
        "× one row",
        "allowed ms",
        "of what is allowed");
    double one = Median.of(own.getFirst().seconds());
    for (int i = 0; i < ROWS.length; i++) {
      Figure figure = own.get(i);
      double seconds = Median.of(figure.seconds());
      System.out.printf(
          "%5d %9.3f %9.3f %11.2f %11.3f  %s%n",
          ROWS[i],
          1e3 * seconds,
          1e3 * seconds / ROWS[i],
          seconds / one,
          1e3 / Median.of(figure.ceilings()),
          figure.told());
    }
  }
}
