package dev.ridgeline.cli.experiment;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Answer.Fact;
import dev.ridgeline.lab.sweep.Answer.Table;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.sweep.Sweep;
import dev.ridgeline.model.generate.Perplexity;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is known of a model's types before they are timed, and what follows once they are. */
final class QuantizationStudy {
  /** The least error that a logarithmic axis shows: f32's own is none. */
  private static final double LEAST_ERROR = 1e-8;

  private static final String IMPOSSIBLE = "not possible for this shape";

  /**
   * A model in a type.
   *
   * @param bytes of all tensors
   * @param ofType the part of its numbers that has the type, the others one that suits them better
   * @param closeness of its vectors to f32's, null of a model that writes
   * @param perplexity on a text, null of a model that embeds
   */
  record Model(
      Path file, long bytes, double ofType, Rounded.Closeness closeness, Perplexity perplexity) {
    Model with(Rounded.Closeness next) {
      return new Model(file, bytes, ofType, next, perplexity);
    }

    Model with(Perplexity next) {
      return new Model(file, bytes, ofType, closeness, next);
    }
  }

  private final String name;
  private final boolean embeds;
  private final TensorType against;
  private final QuantizedLayer layer;
  private final int window;
  private final Map<TensorType, Model> models = new LinkedHashMap<>();
  private final List<TensorType> all = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  QuantizationStudy(
      String name, boolean embeds, TensorType against, QuantizedLayer layer, int window) {
    this.name = name;
    this.embeds = embeds;
    this.against = against;
    this.layer = layer;
    this.window = window;
  }

  void warn(String warning) {
    warnings.add(warning);
  }

  /**
   * @param modelOrNull null where no matrix of it can have the type
   */
  void add(TensorType type, Model modelOrNull) {
    all.add(type);
    if (modelOrNull != null) models.put(type, modelOrNull);
  }

  boolean embeds() {
    return embeds;
  }

  Map<TensorType, Model> models() {
    return models;
  }

  String modelArm(TensorType type) {
    return "model-" + type.word();
  }

  String reference() {
    return modelArm(against);
  }

  String title() {
    return "%s in %s; and its largest matrix alone, %s"
        .formatted(
            name, String.join(", ", all.stream().map(TensorType::word).toList()), layer.shape());
  }

  Answer conclude(Sweep sweep) {
    Outcome outcome = sweep.outcome();
    String metric = outcome.metrics().getFirst().name();
    List<Fact> facts = new ArrayList<>();
    facts.add(QuantizedLayer.costs(against));
    facts.add(new Fact("Error", errorFact()));
    return new Answer(
        headline(outcome, metric),
        facts,
        warnings,
        List.of(
            modelTable(outcome, metric),
            layer.table(outcome, "One layer: its largest matrix, " + layer.shape(), all)),
        List.of(speedAgainstError(outcome, metric), layer.chart(outcome)));
  }

  private String errorFact() {
    if (embeds) return "cosine of vectors to those of f32, mean and least over bundled texts";
    Perplexity any = models.get(against).perplexity();
    return "perplexity over %s tokens in windows of %d that move on by %d, cache in f32"
        .formatted(Quantity.count(any.tokens()), any.window(), any.stride());
  }

  private String headline(Outcome outcome, String metric) {
    TensorType best = against;
    Interval least = new Interval(0, 0, 0, 1);
    for (TensorType type : models.keySet()) {
      Interval cost = QuantizedLayer.cost(outcome, modelArm(type), reference(), metric);
      if (!(cost.estimate() < least.estimate())) continue;
      best = type;
      least = cost;
    }
    if (!(least.high() < 0)) {
      String none = "%s: no type is faster than %s for sure".formatted(name, against.word());
      if (best == against) return none + ", and none looks so";
      return "%s; %s looks best: time %s".formatted(none, best.word(), StudyText.change(least));
    }
    Model model = models.get(best);
    Model base = models.get(against);
    List<String> alike = new ArrayList<>();
    for (TensorType type : models.keySet()) {
      if (type == best || type == against) continue;
      Interval ratio = QuantizedLayer.cost(outcome, modelArm(type), modelArm(best), metric);
      if (!(ratio.low() > 0)) alike.add(type.word());
    }
    return "%s is fastest in %s%s: time %s against %s, %s of its bytes, %s"
        .formatted(
            name,
            best.word(),
            alike.isEmpty() ? "" : " (" + String.join(", ", alike) + " cannot be told from it)",
            StudyText.change(least),
            against.word(),
            Quantity.percent((double) model.bytes() / base.bytes()),
            words(model));
  }

  private String words(Model model) {
    return embeds
        ? "cosine " + cosine(model.closeness().mean())
        : "perplexity %s instead of %s"
            .formatted(
                Quantity.fixed(model.perplexity().value(), 3),
                Quantity.fixed(models.get(against).perplexity().value(), 3));
  }

  private static String cosine(double cosine) {
    return String.format(Locale.ROOT, "%.6f", cosine);
  }

  private Table modelTable(Outcome outcome, String metric) {
    List<List<String>> rows = new ArrayList<>();
    String unit = outcome.metric(metric).unit();
    for (TensorType type : all) {
      Model model = models.get(type);
      if (model == null) {
        rows.add(List.of(type.word(), "–", "–", "–", IMPOSSIBLE));
        continue;
      }
      rows.add(
          List.of(
              type.word() + (mixed(type, model) ? " in part" : ""),
              Quantity.bytes(model.bytes()),
              StudyText.level(outcome.level(modelArm(type), metric)),
              type == against
                  ? "–"
                  : StudyText.change(
                      QuantizedLayer.cost(outcome, modelArm(type), reference(), metric)),
              error(model)));
    }
    return new Table(
        "The model, " + name,
        List.of(
            "type",
            "bytes",
            metric + ", " + unit,
            "time against " + against.word(),
            embeds ? "cosine to f32, mean (least)" : "perplexity"),
        rows);
  }

  /** Norms and biases stay in f32 in every type; a small part is no mixture. */
  private static boolean mixed(TensorType type, Model model) {
    return type.quantized() && model.ofType() < 0.9;
  }

  private String error(Model model) {
    if (!embeds) return Quantity.fixed(model.perplexity().value(), 4);
    Rounded.Closeness it = model.closeness();
    return "%s (%s)".formatted(cosine(it.mean()), cosine(it.least()));
  }

  private double errorOf(Model model) {
    return embeds
        ? Math.max(LEAST_ERROR, 1 - model.closeness().mean())
        : model.perplexity().value();
  }

  private Chart speedAgainstError(Outcome outcome, String metric) {
    List<Chart.Series> series = new ArrayList<>();
    models.forEach(
        (type, model) -> {
          Interval level = outcome.level(modelArm(type), metric);
          series.add(
              new Chart.Series(
                  type.word(),
                  Chart.Drawn.DOTS,
                  List.of(
                      new Chart.Point(
                          errorOf(model),
                          level.estimate(),
                          level.low(),
                          level.high(),
                          type.word()))));
        });
    return new Chart(
        "Speed against error",
        embeds ? "1 − cosine to f32 (f32 itself at the left edge)" : "perplexity",
        outcome.metric(metric).unit(),
        embeds ? Scale.LOGARITHMIC : Scale.LINEAR,
        Scale.LINEAR,
        series,
        List.of());
  }
}
