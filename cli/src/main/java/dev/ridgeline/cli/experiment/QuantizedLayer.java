package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.op.Op;
import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Answer.Fact;
import dev.ridgeline.lab.sweep.Answer.Table;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.sweep.Sweep;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.tensor.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One product with a matrix of weights, in several types. */
final class QuantizedLayer {
  private static final String IMPOSSIBLE = "not possible for this shape";

  private final TensorType against;
  private final int rows;
  private final int inputs;
  private final int outputs;
  private final Map<TensorType, Double> errors = new LinkedHashMap<>();

  QuantizedLayer(TensorType against, int rows, int inputs, int outputs) {
    this.against = against;
    this.rows = rows;
    this.inputs = inputs;
    this.outputs = outputs;
  }

  /** Whether its rows are whole blocks of a type. */
  boolean allows(TensorType type) {
    return inputs % type.blockSize() == 0;
  }

  /**
   * @param error of its weights
   */
  void add(TensorType type, double error) {
    errors.put(type, error);
  }

  /** Rows, inputs, outputs. */
  String shape() {
    return "%dx%dx%d".formatted(rows, inputs, outputs);
  }

  String arm(TensorType type) {
    return "layer-" + type.word();
  }

  List<Attempt> attempts(int workers) {
    List<Attempt> attempts = new ArrayList<>();
    for (TensorType type : errors.keySet()) {
      Start start =
          Start.Workload.of(
              "op", "matmul", "--shape", shape(), "--type", type.word(), "--workers", "" + workers);
      Arm arm = new Arm(arm(type), Map.of("what", "layer", "type", type.word()));
      attempts.add(new Attempt(arm, start));
    }
    return attempts;
  }

  /** The time of an arm against the reference's; a rate's is the other way round. */
  static Interval cost(Outcome outcome, String arm, String base, String metric) {
    if (arm.equals(base)) return new Interval(0, 0, 0, 1);
    return outcome.gain(arm, base, metric, Outcome.CONFIDENCE).negated();
  }

  static Fact costs(TensorType against) {
    return new Fact(
        "Cost",
        "time against %s is (B − A) / A: what dequantizing costs, less what fewer bytes save"
            .formatted(against.word()));
  }

  private Interval cost(Outcome outcome, TensorType type) {
    return cost(outcome, arm(type), arm(against), Op.TIME);
  }

  private long bytes(TensorType type) {
    return type.bytes((long) inputs * outputs);
  }

  /**
   * @param all types that were asked for, those that it cannot have among them
   */
  Table table(Outcome outcome, String title, List<TensorType> all) {
    List<List<String>> lines = new ArrayList<>();
    for (TensorType type : all) {
      Double error = errors.get(type);
      if (error == null) {
        lines.add(List.of(type.word(), "–", "–", "–", IMPOSSIBLE));
        continue;
      }
      lines.add(
          List.of(
              type.word(),
              Quantity.bytes(bytes(type)),
              StudyText.level(outcome.level(arm(type), Op.TIME)),
              type == against || !errors.containsKey(against)
                  ? "–"
                  : StudyText.change(cost(outcome, type)),
              Quantity.percent(error)));
    }
    return new Table(
        title,
        List.of(
            "type", "bytes", Op.TIME + ", µs", "time against " + against.word(), "weights off by"),
        lines);
  }

  Chart chart(Outcome outcome) {
    List<Chart.Point> points = new ArrayList<>();
    for (TensorType type : errors.keySet()) {
      Interval level = outcome.level(arm(type), Op.TIME);
      points.add(
          new Chart.Point(points.size(), level.estimate(), level.low(), level.high(), type.word()));
    }
    return Chart.ofNames(
        "One layer, " + shape(), "µs", new Chart.Series("time", Chart.Drawn.DOTS, points));
  }

  /** The answer where there is no model around it. */
  Answer conclude(Sweep sweep, List<TensorType> all) {
    Outcome outcome = sweep.outcome();
    List<String> costs = new ArrayList<>();
    for (TensorType type : errors.keySet()) {
      if (type == against) continue;
      costs.add("%s %s".formatted(type.word(), StudyText.change(cost(outcome, type))));
    }
    return new Answer(
        "%s, time against %s: %s".formatted(shape(), against.word(), String.join("; ", costs)),
        List.of(
            costs(against),
            new Fact("Error", "of weights that are drawn from a normal distribution")),
        List.of(),
        List.of(table(outcome, "One product, " + shape(), all)),
        List.of(chart(outcome)));
  }
}
