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
import java.util.List;

/**
 * Matrix products by the assembled and the vector kernels in turns, on one core and two, each
 * between two readings of the rate of nothing but the instructions that the assembled kernel spends
 * its time in. Results are checked first.
 */
public final class Gemm {
  private static final int ROUNDS = 9;
  private static final int[] CORES = {1, 2};
  private static final int[] SIZES = {256, 512, 768, 1024, 1536, 2048};
  private static final double F32_BAR = 0.93;

  /** Each in a round, and before the first. */
  private static final long NANOS = 60_000_000;

  private static final long WARM_NANOS = 500_000_000;

  private final Options options;
  private final Roof roof = new Roof();
  private final List<Contest> contests = new ArrayList<>();

  /** One product by both families, on so many cores. */
  private record Contest(
      TimedProduct assembled, TimedProduct vector, int cores, Arithmetic kind, List<Figure> both) {
    double ratio() {
      double[] ours = both.getFirst().rates();
      double[] theirs = both.getLast().rates();
      double[] ratios = new double[ours.length];
      for (int i = 0; i < ratios.length; i++) ratios[i] = ours[i] / theirs[i];
      return Median.of(ratios);
    }
  }

  private Gemm(Options options) {
    this.options = options;
  }

  public static void main(String[] args) {
    Options.run("gemm", () -> new Gemm(Options.of(args, ROUNDS)).run());
  }

  private List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (String word : options.rest()) {
      Shape shape = Shape.parse(word);
      if (shape == null) {
        throw new BadUsage(
            word + ": say TYPE:SIZE or TYPE:ROWSxINPUTSxOUTPUTS, q8_0:512x2048x5632");
      }
      shapes.add(shape);
    }
    if (!shapes.isEmpty()) return shapes;
    for (int size : SIZES) shapes.add(Shape.square(TensorType.F32, size));
    for (String type : List.of("F16", "Q8_0", "Q4_0", "Q4_K", "Q5_K", "Q6_K")) {
      shapes.add(new Shape(TensorType.valueOf(type), 512, 2048, 5632));
    }
    for (String type : List.of("Q4_K", "Q5_K", "Q6_K")) {
      shapes.add(new Shape(TensorType.valueOf(type), 8, 2048, 5632));
      shapes.add(new Shape(TensorType.valueOf(type), 1, 2048, 5632));
    }
    return shapes;
  }

  private void run() {
    Kernels vector = new VectorKernels();
    Kernels assembled = new AssembledKernels(vector, Tiling.here());
    String heading = Results.heading(options);
    for (Shape shape : shapes()) enter(shape, assembled, vector);
    System.out.println(heading);
    System.out.println("assembled: " + assembled.description());
    System.out.println(
        "rows × inputs × outputs, by Ops and the device's workers; on one core, its CPU time");
    System.out.printf(
        "%-22s %5s  %-18s %9s  %-42s %-28s %s%n",
        "product", "cores", "ceiling", "G/s", "assembled reached", "vector", "ratio");
    for (int round = 0; round < options.rounds(); round++) {
      for (Contest contest : contests) round(contest, round);
    }
    List<Figure> figures = new ArrayList<>();
    for (Contest contest : contests) {
      figures.addAll(contest.both);
      Figure ours = contest.both.getFirst();
      System.out.printf(
          "%-22s %5d  %-18s %9.1f  %-42s %-28s %.2f%n",
          ours.what(),
          contest.cores,
          "%s %.0f".formatted(contest.kind.word(), Median.of(ours.ceilings()) / 1e9),
          Median.of(ours.rates()) / 1e9,
          ours.told(),
          contest.both.getLast().told(),
          contest.ratio());
    }
    Results.write(options, heading, "figures", json -> figures.forEach(each -> each.write(json)));
    roof.close();
  }

  private void enter(Shape shape, Kernels assembled, Kernels vector) {
    var ours = new TimedProduct(shape, assembled, 1);
    var theirs = new TimedProduct(shape, vector, 1);
    ours.check();
    theirs.check();
    Arithmetic kind = ours.form(shape.rows());
    for (int cores : CORES) {
      for (TimedProduct product : List.of(ours, theirs)) {
        product.seconds(cores, shape.rows(), options.quick() ? 0 : WARM_NANOS);
      }
      List<Figure> both = new ArrayList<>();
      int rounds = options.rounds();
      String unit = kind.integer() ? "OP/s" : "FLOP/s";
      both.add(new Figure(shape.toString(), "assembled", cores, unit, rounds, bar(shape, kind)));
      both.add(new Figure(shape.toString(), "vector", cores, unit, rounds, 0));
      contests.add(new Contest(ours, theirs, cores, kind, both));
    }
  }

  private static double bar(Shape shape, Arithmetic kind) {
    if (shape.rows() < 256) return 0;
    return switch (shape.type()) {
      case F32 -> F32_BAR;
      case Q8_0 -> kind == Arithmetic.INT8 ? 0.75 : 0.65;
      case Q4_0 -> 0.6;
      case Q4_K -> 0.65;
      default -> 0;
    };
  }

  /** Every other round in the other order. */
  private void round(Contest contest, int round) {
    boolean oursFirst = round % 2 == 0;
    double before = roof.compute(contest.kind, contest.cores);
    for (boolean first : new boolean[] {true, false}) {
      boolean ours = first == oursFirst;
      TimedProduct product = ours ? contest.assembled : contest.vector;
      Shape shape = product.shape();
      Taken taken = product.seconds(contest.cores, shape.rows(), options.quick() ? 0 : NANOS);
      double after = roof.compute(contest.kind, contest.cores);
      Figure figure = ours ? contest.both.getFirst() : contest.both.getLast();
      figure.set(round, taken, shape.operations(), before, after);
      before = after;
    }
  }
}
