package dev.ridgeline.lab.tune;

import dev.ridgeline.lab.roofline.MadeUpWeights;
import dev.ridgeline.lab.roofline.Product;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.cpu.ProductTrial;
import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.Tunable;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures products of a model's shapes, with a few rows and with many. */
public final class ProductBlock {
  /** Outputs at most: what there are more is the same again, panel by panel. */
  private static final int SOME_OUTPUTS = 512;

  /** Where it matters in which cache weights lie, nearly all of them. */
  private static final int MANY_OUTPUTS = 4096;

  /** Shapes in a block at most, those with the most work. */
  private static final int MOST_SHAPES = 8;

  private static final int MOST_LARGE_SHAPES = 3;

  private ProductBlock() {}

  /** Whether a shape's products depend on a tunable here. */
  static boolean concerns(Tunable tunable, WeightShape shape) {
    // Rows that are read in one go cannot be cut otherwise.
    if (tunable == Tunable.FLOAT_DEPTH && shape.inputs() <= 512) return false;
    return ProductTrial.tunables(shape.type()).contains(tunable);
  }

  /** The shapes that a block measures to decide on a tunable. */
  static List<WeightShape> concerned(Tunable tunable, List<WeightShape> shapes) {
    return shapes.stream()
        .filter(shape -> concerns(tunable, shape))
        .sorted(Comparator.comparingLong(WeightShape::work).reversed())
        .limit(tunable == Tunable.BAND ? MOST_LARGE_SHAPES : MOST_SHAPES)
        .toList();
  }

  private static int outputs(Tunable tunable, WeightShape shape) {
    return Math.min(shape.outputs(), tunable == Tunable.BAND ? MANY_OUTPUTS : SOME_OUTPUTS);
  }

  /** Rows where it makes a difference. */
  private static int[] rows(Tunable tunable) {
    return switch (tunable) {
      case BAND -> new int[] {1024};
      case FLOAT_BLOCK, QUANTIZED_BYTES -> new int[] {480};
      default -> new int[] {16, 384};
    };
  }

  /** Measures now, in this process. */
  public static Block.Result run(Block block) {
    List<Tiling> ways = new ArrayList<>(List.of(block.base()));
    for (int value : block.values()) ways.add(block.base().with(block.tunable(), value));
    int[] rowCounts = rows(block.tunable());
    var rounds = new Rounds<Tiling>(block.seed());
    List<ProductTrial> trials = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      for (int rows : rowCounts) {
        for (WeightShape shape : block.shapes()) {
          int outputs = outputs(block.tunable(), shape);
          var product = new Product(shape.type(), outputs, shape.inputs(), rows);
          var trial = new ProductTrial(MadeUpWeights.of(product, arena), rows, Workers.cpus());
          trials.add(trial);
          requireSameBits(trial, ways);
          rounds.add(name(shape, rows), ways, trial::run);
        }
      }
      rounds.run(block.seconds());
    } finally {
      trials.forEach(ProductTrial::close);
    }
    return rounds.result(block, weights(block, rounds, rowCounts), (_, tiling) -> tiling);
  }

  /** A part's share of the time of a model's pass; passes with few and many rows count alike. */
  private static Map<String, Double> weights(Block block, Rounds<Tiling> rounds, int[] rowCounts) {
    Map<String, Double> weights = new LinkedHashMap<>();
    for (int rows : rowCounts) {
      double sum = 0;
      Map<String, Double> pass = new LinkedHashMap<>();
      for (WeightShape shape : block.shapes()) {
        double whole = (double) shape.outputs() / outputs(block.tunable(), shape);
        double seconds = shape.times() * whole * rounds.median(name(shape, rows), block.base());
        pass.put(name(shape, rows), seconds);
        sum += seconds;
      }
      for (var each : pass.entrySet()) {
        weights.put(each.getKey(), each.getValue() / sum / rowCounts.length);
      }
    }
    return weights;
  }

  private static String name(WeightShape shape, int rows) {
    return "%s %dx%d x %d".formatted(shape.type().word(), shape.outputs(), shape.inputs(), rows);
  }

  private static void requireSameBits(ProductTrial trial, List<Tiling> ways) {
    trial.run(ways.getFirst());
    int expected = trial.digest();
    for (Tiling way : ways) {
      trial.run(way);
      if (trial.digest() != expected) {
        throw new IllegalStateException("another result with " + way);
      }
    }
  }
}
