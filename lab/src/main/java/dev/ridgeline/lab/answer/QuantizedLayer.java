package dev.ridgeline.lab.answer;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.tensor.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** One product with a matrix of weights, in several types. */
public final class QuantizedLayer {
  private static final String IMPOSSIBLE = "not possible for this shape";

  private final TensorType against;
  private final int rows;
  private final int inputs;
  private final int outputs;
  private final String time;
  private final Map<TensorType, Double> errors = new LinkedHashMap<>();

  /**
   * @param time the metric of a product
   */
  public QuantizedLayer(TensorType against, int rows, int inputs, int outputs, String time) {
    this.time = time;
    this.against = against;
    this.rows = rows;
    this.inputs = inputs;
    this.outputs = outputs;
  }

  /** Whether its rows are whole blocks of a type. */
  public boolean allows(TensorType type) {
    return inputs % type.blockSize() == 0;
  }

  /**
   * @param error of its weights
   */
  public void add(TensorType type, double error) {
    errors.put(type, error);
  }

  /** Rows, inputs, outputs. */
  public String shape() {
    return "%dx%dx%d".formatted(rows, inputs, outputs);
  }

  public String arm(TensorType type) {
    return "layer-" + type.word();
  }

  /** Types that it has, in their order. */
  public Set<TensorType> types() {
    return errors.keySet();
  }

  /** The time of an arm against the reference's; a rate's is the other way round. */
  static Interval cost(Outcome outcome, String arm, String base, String metric) {
    if (arm.equals(base)) return Interval.exactly(0);
    return outcome.gain(arm, base, metric, Outcome.CONFIDENCE).negated();
  }

  static Fact costs(TensorType against) {
    return new Fact(
        "Cost",
        "time against %s is (B − A) / A: what dequantizing costs, less what fewer bytes save"
            .formatted(against.word()));
  }

  private Interval cost(Outcome outcome, TensorType type) {
    return cost(outcome, arm(type), arm(against), time);
  }

  private long bytes(TensorType type) {
    return type.bytes((long) inputs * outputs);
  }

  /**
   * @param all types that were asked for, those that it cannot have among them
   */
  Table table(Outcome outcome, String title, List<TensorType> all) {
    return byType(
        title,
        List.of(time + ", µs", "time against " + against.word(), "weights off by"),
        all,
        type ->
            errors.containsKey(type)
                ? List.of(
                    type.word(),
                    Quantity.bytes(bytes(type)),
                    StudyText.level(outcome.level(arm(type), time)),
                    type == against || !errors.containsKey(against)
                        ? "–"
                        : StudyText.change(cost(outcome, type)),
                    Quantity.percent(errors.get(type)))
                : null);
  }

  /**
   * A row for each type.
   *
   * @param columns those after the type and its bytes
   * @param cells of a type, or null where it is not possible
   */
  static Table byType(
      String title,
      List<String> columns,
      List<TensorType> all,
      Function<TensorType, List<String>> cells) {
    List<String> heads = new ArrayList<>(List.of("type", "bytes"));
    heads.addAll(columns);
    List<List<String>> rows = new ArrayList<>();
    for (TensorType type : all) {
      List<String> row = cells.apply(type);
      rows.add(row != null ? row : List.of(type.word(), "–", "–", "–", IMPOSSIBLE));
    }
    return new Table(title, heads, rows);
  }

  Chart chart(Outcome outcome) {
    return Chart.ofNames(
        "One layer, " + shape(),
        "µs",
        Chart.Series.ofNames(
            "time", errors.keySet(), TensorType::word, type -> outcome.level(arm(type), time)));
  }

  /** The answer where there is no model around it. */
  public Answer conclude(Outcome outcome, List<TensorType> all) {
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
