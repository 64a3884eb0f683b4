package dev.ridgeline.lab.answer;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
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
public final class QuantizationStudy {
  /** The least error that a logarithmic axis shows: f32's own is none. */
  private static final double LEAST_ERROR = 1e-8;

  /**
   * A model in a type.
   *
   * @param bytes of all tensors
   * @param ofType the part of its numbers that has the type, the others one that suits them better
   * @param closeness of its vectors to f32's, null of a model that writes
   * @param perplexity on a text, null of a model that embeds
   */
  public record Model(
      Path file, long bytes, double ofType, Rounded.Closeness closeness, Perplexity perplexity) {
    public Model with(Rounded.Closeness next) {
      return new Model(file, bytes, ofType, next, perplexity);
    }

    public Model with(Perplexity next) {
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

  public QuantizationStudy(
      String name, boolean embeds, TensorType against, QuantizedLayer layer, int window) {
    this.name = name;
    this.embeds = embeds;
    this.against = against;
    this.layer = layer;
    this.window = window;
  }

  public void warn(String warning) {
    warnings.add(warning);
  }

  /**
   * @param modelOrNull null where no matrix of it can have the type
   */
  public void add(TensorType type, Model modelOrNull) {
    all.add(type);
    if (modelOrNull != null) models.put(type, modelOrNull);
  }

  public boolean embeds() {
    return embeds;
  }

  public Map<TensorType, Model> models() {
    return models;
  }

  public String modelArm(TensorType type) {
    return "model-" + type.word();
  }

  public String reference() {
    return modelArm(against);
  }

  public String title() {
    return "%s in %s; and its largest matrix alone, %s"
        .formatted(
            name, String.join(", ", all.stream().map(TensorType::word).toList()), layer.shape());
  }

  public Answer conclude(Outcome outcome) {
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
    Interval least = Interval.exactly(0);
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
    return QuantizedLayer.byType(
        "The model, " + name,
        List.of(
            metric + ", " + outcome.metric(metric).unit(),
            "time against " + against.word(),
            embeds ? "cosine to f32, mean (least)" : "perplexity"),
        all,
        type -> models.containsKey(type) ? cells(outcome, metric, type) : null);
  }

  private List<String> cells(Outcome outcome, String metric, TensorType type) {
    Model model = models.get(type);
    Interval cost = QuantizedLayer.cost(outcome, modelArm(type), reference(), metric);
    return List.of(
        type.word() + (mixed(type, model) ? " in part" : ""),
        Quantity.bytes(model.bytes()),
        StudyText.level(outcome.level(modelArm(type), metric)),
        type == against ? "–" : StudyText.change(cost),
        error(model));
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
          var point = Chart.Point.of(errorOf(model), level, speed -> speed, type.word());
          series.add(new Chart.Series(type.word(), Chart.Drawn.DOTS, List.of(point)));
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
