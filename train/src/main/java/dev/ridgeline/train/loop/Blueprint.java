package dev.ridgeline.train.loop;

import dev.ridgeline.model.Strategy;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.ModelConfig;
import dev.ridgeline.train.config.OptimizerConfig;
import dev.ridgeline.train.config.TokenizerConfig;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.net.Initial;
import dev.ridgeline.train.net.Net;
import dev.ridgeline.train.tokenizer.Codebook;
import java.util.Map;
import java.util.TreeMap;

/** What a configuration asks to be made: a net, and how its steps are taken. */
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

  /** With its first weights, unless the device only plans. */
  Net net(Device device) {
    if (config.model() instanceof ModelConfig.Continued continued) {
      Net read = ModelFile.read(config.resolve(continued.file()), device);
      int tokens = codebook.tokenizer().size();
      boolean own =
          config.tokenizer() instanceof TokenizerConfig.Taken taken
              && config.resolve(taken.from()).equals(config.resolve(continued.file()));
      // Some models score for a few more than their tokenizers have.
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
    OptimizerConfig it = config.optimizer();
    return new StepPlan(
        shards,
        batch / shards,
        config.length(),
        config.accumulate(),
        coarse,
        config.kept(),
        new StepPlan.Optimizer(it.beta1(), it.beta2(), it.epsilon(), it.decay(), it.clip()));
  }

  /** What cannot be gone on from is told before anything is trained. */
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
