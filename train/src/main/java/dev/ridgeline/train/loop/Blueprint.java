package dev.ridgeline.train.loop;

import dev.ridgeline.model.Strategy;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.ModelConfig;
import dev.ridgeline.train.config.SampleConfig;
import dev.ridgeline.train.config.TokenizerConfig;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.net.Initial;
import dev.ridgeline.train.net.Net;
import dev.ridgeline.train.tokenizer.Codebook;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Makes what a configuration asks for: a net, the plan of its steps, its samples. */
record Blueprint(TrainConfig config, Codebook codebook) {
  /** Bytes that it takes outside the heap, by owner. */
  Map<String, Long> memory(Device device) {
    Map<String, Long> account = new TreeMap<>();
    try (Device planning = device.choice().plan(account);
        Net made = net(planning);
        Steps _ = new Steps(made, planning, plan(made))) {
      return account;
    }
  }

  /** With its initial weights, unless the device only plans. */
  Net net(Device device) {
    if (config.model() instanceof ModelConfig.Continued continued) {
      Net read = ModelFile.read(config.resolve(continued.file()), device);
      int tokens = codebook.tokenizer().size();
      boolean own =
          config.tokenizer() instanceof TokenizerConfig.Taken taken
              && config.resolve(taken.from()).equals(config.resolve(continued.file()));
      // Some models have scores for a few more tokens than their tokenizers.
      if (own ? tokens > read.vocabulary() : tokens != read.vocabulary()) {
        throw new TrainException(
            "the tokenizer has %d tokens, the model %d; its own is {\"from\": \"%s\"}"
                .formatted(tokens, read.vocabulary(), continued.file()));
      }
      if (config.length() > read.context()) {
        throw new TrainException(
            "length: %d is above the model's context of %d"
                .formatted(config.length(), read.context()));
      }
      return read;
    }
    ModelConfig.Fresh fresh = (ModelConfig.Fresh) config.model();
    Net made = ModelFile.fresh(fresh, codebook.tokenizer().size(), device);
    if (!device.plans()) {
      Initial.random(config.seed(), fresh.layers()).fill(made.parameters(), device);
    }
    return made;
  }

  StepPlan plan(Net net) {
    int batch = config.batch();
    int shards =
        config.shards() > 0
            ? config.shards()
            : StepPlan.shards(batch, config.length(), net.parameters().count());
    boolean coarse =
        config.strategy() == Strategy.COARSE || config.strategy() == Strategy.AUTO && shards > 1;
    return new StepPlan(
        shards,
        batch / shards,
        config.length(),
        config.accumulate(),
        coarse,
        config.kept(),
        config.optimizer());
  }

  /** What the model in a file writes after the prompt, at some step. */
  String sample(Path model, int context, long step) {
    SampleConfig how = config.sample();
    try (Generator generator = Generator.open(model, GeneratorOptions.DEFAULT)) {
      Tokens prompt = new Tokens();
      codebook.tokenizer().encode(how.prompt(), prompt);
      Sampling sampling =
          Sampling.DEFAULT
              .withMaxTokens(Math.clamp(how.tokens(), 1, Math.max(1, context - prompt.size())))
              .withTemperature((float) how.temperature())
              .withSeed(config.seed() + step);
      return generator.generate(how.prompt(), sampling).text();
    }
  }

  /** Refuses a prompt without room for an answer before anything is trained. */
  void checkPrompt(Net net) {
    if (config.sample().tokens() == 0) return;
    Tokens prompt = new Tokens();
    codebook.tokenizer().encode(config.sample().prompt(), prompt);
    if (prompt.size() < net.context()) return;
    throw new TrainException(
        "sample.prompt: has %,d tokens, the model's context %,d"
            .formatted(prompt.size(), net.context()));
  }
}
