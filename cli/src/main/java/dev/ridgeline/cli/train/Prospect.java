package dev.ridgeline.cli.train;

import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.train.config.ModelConfig;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.data.Corpus;
import dev.ridgeline.train.loop.StepPlan;
import dev.ridgeline.train.loop.Training;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a training is going to do, for people.
 *
 * @param memory bytes outside the heap by owner
 */
record Prospect(Training training, int workers, Map<String, Long> memory) {

  static Prospect of(Training training, int workers) {
    return new Prospect(training, workers, training.memory());
  }

  /** {@code llama, 5 layers of 128, 1,031,680 parameters}. */
  static String model(Training training) {
    Shape shape = training.net().shape();
    String width =
        training.config().model() instanceof ModelConfig.Fresh fresh ? " of " + fresh.dim() : "";
    return "%s, %s%s, %s"
        .formatted(
            shape.word(),
            Quantity.many(shape.layers(), "layer"),
            width,
            Quantity.many(training.net().parameters().count(), "parameter"));
  }

  /** {@code coarse, 16 shards of 2 sequences, 2 workers}. */
  static String computing(Training training, int workers) {
    StepPlan plan = training.plan();
    return "%s, %s of %s, %s"
        .formatted(
            strategy(plan),
            Quantity.many(plan.shards(), "shard"),
            Quantity.many(plan.textsEach(), "sequence"),
            Quantity.many(workers, "worker"));
  }

  static String strategy(StepPlan plan) {
    return plan.coarse() ? "coarse" : "fine";
  }

  /** {@code 32 × 128 tokens}. */
  static String batch(Training training) {
    TrainConfig config = training.config();
    String rounds = config.accumulate() == 1 ? "" : "%,d × ".formatted(config.accumulate());
    return "%s%,d × %,d tokens".formatted(rounds, config.batch(), config.length());
  }

  /** In one line. */
  static String line(Training training, int workers) {
    return "%s · %s · %s of %s · %s"
        .formatted(
            training.config().name(),
            model(training),
            Quantity.many(training.steps(), "step"),
            batch(training),
            computing(training, workers));
  }

  static String data(Training training) {
    Corpus corpus = training.corpus();
    return "%s: %s in %s, %s to train on, %s to evaluate on"
        .formatted(
            corpus.name(),
            Quantity.many(corpus.size(), "token"),
            Quantity.many(corpus.documents(), "document"),
            Quantity.count(corpus.training()),
            Quantity.count(corpus.evaluation()));
  }

  /** Line by line. */
  Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("model", model(training) + ", " + vocabulary());
    facts.put("data", data(training));
    double windows = (double) training.steps() * training.config().batch();
    facts.put(
        "steps",
        "%s of %s, %s times through %s"
            .formatted(
                Quantity.count(training.steps()),
                batch(training),
                Quantity.number(
                    windows * training.config().accumulate() / training.batches().windows()),
                Quantity.many(training.batches().windows(), "window")));
    facts.put("computes", computing(training, workers));
    long all = memory.values().stream().mapToLong(Long::longValue).sum();
    facts.put(
        "memory",
        memory.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .map(owner -> owner.getKey() + " " + Quantity.bytes(owner.getValue()))
            .collect(Collectors.joining(", ", Quantity.bytes(all) + ": ", "")));
    return facts;
  }

  private String vocabulary() {
    return Quantity.many(training.net().vocabulary(), "token");
  }
}
