package dev.ridgeline.train;

import dev.ridgeline.model.Strategy;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.grad.GradDevice;
import dev.ridgeline.train.checkpoint.Checkpoint;
import dev.ridgeline.train.checkpoint.Checkpoints;
import dev.ridgeline.train.checkpoint.TensorSource;
import dev.ridgeline.train.checkpoint.TrainState;
import dev.ridgeline.train.config.ModelConfig;
import dev.ridgeline.train.config.OptimizerConfig;
import dev.ridgeline.train.config.SampleConfig;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.data.Batches;
import dev.ridgeline.train.data.Corpus;
import dev.ridgeline.train.data.Documents;
import dev.ridgeline.train.data.Evaluation;
import dev.ridgeline.train.log.Journal;
import dev.ridgeline.train.net.Initial;
import dev.ridgeline.train.net.Net;
import dev.ridgeline.train.tokenizer.Codebook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A training, from its configuration to the file of its model. Its folder has the journal, the last
 * checkpoints and the model as it was at the last of them.
 *
 * <p>Threads: one; {@link #run}'s question whether to stop may be answered by any other.
 */
public final class Training implements AutoCloseable {
  private static final Scope EPOCH = Scope.of("epoch");
  private static final Scope BATCH = Scope.of("batch");
  private static final Scope DATA = Scope.of("data");
  private static final Scope STEP = Scope.of("step");
  private static final Scope EVALUATION = Scope.of("evaluation");
  private static final Scope SAMPLE = Scope.of("sample");
  private static final Scope CHECKPOINT = Scope.of("checkpoint");

  /** Numbers of a row of what a checkpoint has: all weights lie in a multiple of it. */
  private static final int ROW = 16;

  private final TrainConfig config;
  private final Path folder;
  private final Device device;
  private final Watcher watcher;
  private final Codebook codebook;
  private final Corpus corpus;
  private final Batches batches;
  private final Evaluation evaluation;
  private final Net net;
  private final StepPlan plan;
  private final Steps steps;
  private final Schedule schedule;
  private final Checkpoints checkpoints;
  private final Journal journal;
  private final String digest;
  private final int[] inputs;
  private final int[] targets;
  private final int[] evaluationInputs;
  private final int[] evaluationTargets;
  private final double[] losses;
  private final long begun = System.nanoTime();
  private double secondsBefore;
  private double tokensPerSecond;
  private long lastNanos;
  private double lastEvaluation = Double.NaN;
  private long memory;

  /**
   * Reads data and plans everything.
   *
   * @param resume whether to go on from the newest checkpoint, if there is one; else a folder that
   *     has one is refused
   */
  public Training(
      TrainConfig config, Path folder, Device device, boolean resume, Watcher watcher) {
    this.config = config;
    this.folder = folder;
    this.device = device;
    this.watcher = watcher;
    Documents documents = Documents.of(config);
    this.codebook = Codebook.of(config, documents);
    this.corpus = Corpus.read(documents, codebook.tokenizer(), config.data().evaluation());
    int texts = Math.multiplyExact(config.batch(), config.accumulate());
    this.batches = new Batches(corpus, texts, config.length(), config.seed());
    this.evaluation = new Evaluation(corpus, config.batch(), config.length());
    this.digest = config.digest() + "-" + Long.toHexString(corpus.checksum());
    this.checkpoints = new Checkpoints(folder.resolve("checkpoints"), config.checkpoint().keep());
    if (!resume && !checkpoints.isEmpty()) {
      throw new TrainException(folder, "has a training already: --resume goes on with it");
    }
    this.net = made();
    long count = config.steps() > 0 ? config.steps() : batches.steps(config.epochs(), 1);
    this.schedule = config.optimizer().schedule(count);
    this.plan = planned();
    this.steps = new Steps(net, device, plan);
    this.inputs = new int[plan.tokens()];
    this.targets = new int[plan.tokens()];
    int round = plan.shards() * plan.tokensEach();
    this.evaluationInputs = new int[round];
    this.evaluationTargets = new int[round];
    this.losses = new double[Math.toIntExact(count)];
    long from = resume ? restore() : 0;
    this.journal = journal(from);
  }

  private Net made() {
    if (config.model() instanceof ModelConfig.Continued continued) {
      Net read = ModelFile.read(config.resolve(continued.file()), device);
      if (codebook.tokenizer().size() > read.vocabulary()) {
        throw new TrainException(
            "the tokenizer has %d tokens, the model scores for %d"
                .formatted(codebook.tokenizer().size(), read.vocabulary()));
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
    Initial.random(config.seed(), fresh.layers()).fill(made.parameters(), device);
    return made;
  }

  private StepPlan planned() {
    int batch = config.batch();
    int shards =
        config.shards() > 0
            ? config.shards()
            : StepPlan.shards(batch, config.length(), net.parameters().count());
    if (batch % shards != 0) {
      throw new TrainException(
          "shards: %d sequences cannot be cut into %d equal shards".formatted(batch, shards));
    }
    boolean coarse =
        config.strategy() == Strategy.COARSE || config.strategy() == Strategy.AUTO && shards > 1;
    OptimizerConfig it = config.optimizer();
    return new StepPlan(
        shards,
        batch / shards,
        config.length(),
        config.accumulate(),
        coarse,
        config.recompute(),
        new StepPlan.Optimizer(it.beta1(), it.beta2(), it.epsilon(), it.decay(), it.clip()));
  }

  /** Goes on from the newest checkpoint; answers its step. */
  private long restore() {
    Checkpoint newest = checkpoints.newest(watcher::warned);
    if (newest == null) return 0;
    TrainState state = newest.state();
    if (!state.digest().equals(digest)) {
      throw new TrainException(
          newest.path(), "is of another configuration or other texts: choose another folder");
    }
    for (Kept each : kept()) {
      newest.read(
          each.name,
          each.rows(),
          ROW,
          (from, _, numbers) -> training().write(numbers, each.tensor, from * ROW));
    }
    steps.resume(state.step());
    batches.restore(state.position());
    System.arraycopy(state.losses(), 0, losses, 0, Math.min(losses.length, state.losses().length));
    return state.step();
  }

  private Journal journal(long from) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw TrainException.of(folder, e);
    }
    Path file = folder.resolve("journal.jsonl");
    return from == 0 ? Journal.create(file) : Journal.resume(file, from);
  }

  /** What a checkpoint has. */
  private record Kept(String name, Tensor tensor) {
    long rows() {
      return tensor.columns() / ROW;
    }
  }

  private List<Kept> kept() {
    return List.of(
        new Kept("weights", net.parameters().weights()),
        new Kept("means", steps.means()),
        new Kept("squares", steps.squares()));
  }

  private GradDevice training() {
    return device.training();
  }

  /**
   * Trains until all steps are done, or until it is asked to stop: then a checkpoint is written.
   *
   * @return whether all steps are done
   */
  public boolean run(BooleanSupplier stop) {
    watcher.begins(this);
    lastNanos = System.nanoTime();
    while (steps.count() < losses.length) {
      long epoch = batches.position().epoch();
      try (var _ = Profiler.scope(EPOCH)) {
        do {
          try (var _ = Profiler.scope(BATCH)) {
            takeStep();
          }
          boolean last = steps.count() == losses.length;
          if (stop.getAsBoolean() && !last) {
            keep();
            return false;
          }
          alongTheWay(last);
        } while (steps.count() < losses.length && batches.position().epoch() == epoch);
      }
    }
    return true;
  }

  private void takeStep() {
    try (var _ = Profiler.scope(DATA)) {
      batches.next(inputs, targets);
    }
    long number = steps.count();
    double rate = schedule.at(number);
    try (var _ = Profiler.scope(STEP)) {
      steps.take(inputs, targets, rate);
    }
    if (!steps.finite()) throw notFinite(number);
    losses[(int) number] = steps.loss();
    long now = System.nanoTime();
    double speed = plan.tokens() / ((now - lastNanos) / 1e9);
    tokensPerSecond = tokensPerSecond == 0 ? speed : 0.9 * tokensPerSecond + 0.1 * speed;
    lastNanos = now;
    if (memory == 0) memory = Resident.bytes();
    journal.step(
        steps.count(), steps.loss(), rate, steps.norm(), tokensPerSecond, seconds(), memory());
    watcher.step(this);
  }

  private TrainException notFinite(long number) {
    String what = Double.isFinite(steps.loss()) ? "gradients are" : "the loss is";
    return new TrainException(
        "step %d: %s not a number%s; the last checkpoint is as it was"
            .formatted(number + 1, what, origin()));
  }

  private String origin() {
    String where = steps.origin(inputs, targets);
    return where.isEmpty() ? "" : ", first in " + where;
  }

  private void alongTheWay(boolean last) {
    long done = steps.count();
    if (due(done, config.evaluate().every(), last) && evaluation.targets() > 0) evaluate();
    boolean keeps = due(done, config.checkpoint().every(), last);
    SampleConfig sample = config.sample();
    boolean samples = sample.tokens() > 0 && due(done, sample.every(), last);
    if (keeps || samples) writeModel();
    if (samples) sample(sample);
    if (keeps) keep();
    // What happens along the way is no part of a step's speed.
    lastNanos = System.nanoTime();
  }

  private static boolean due(long done, int every, boolean last) {
    return last || every > 0 && done % every == 0;
  }

  private void evaluate() {
    long from = System.nanoTime();
    double sum = 0;
    try (var _ = Profiler.scope(EVALUATION)) {
      for (int i = 0; i < evaluation.batches(); i++) {
        evaluation.fill(i, evaluationInputs, evaluationTargets);
        sum += steps.losses(evaluationInputs, evaluationTargets);
      }
    }
    lastEvaluation = sum / evaluation.targets();
    memory = Resident.bytes();
    journal.evaluation(
        steps.count(), lastEvaluation, evaluation.targets(), (System.nanoTime() - from) / 1e9);
    watcher.evaluated(steps.count(), lastEvaluation);
  }

  private void writeModel() {
    try (var _ = Profiler.scope(CHECKPOINT)) {
      ModelFile.write(net, device, config.name(), codebook.vocabulary(), model());
    }
  }

  private void sample(SampleConfig how) {
    try (var _ = Profiler.scope(SAMPLE);
        Generator generator = Generator.open(model(), GeneratorOptions.DEFAULT)) {
      Tokens prompt = new Tokens();
      codebook.tokenizer().encode(how.prompt(), prompt);
      int room = net.context() - prompt.size();
      Sampling sampling =
          Sampling.DEFAULT
              .withMaxTokens(Math.clamp(how.tokens(), 1, Math.max(1, room)))
              .withTemperature((float) how.temperature())
              .withSeed(config.seed() + steps.count());
      String text = generator.generate(how.prompt(), sampling).text();
      journal.sample(steps.count(), how.prompt(), text);
      watcher.sampled(steps.count(), how.prompt(), text);
    }
  }

  private void keep() {
    try (var _ = Profiler.scope(CHECKPOINT)) {
      TrainState state =
          new TrainState(
              steps.count(),
              batches.position(),
              new long[0],
              digest,
              Arrays.copyOf(losses, (int) steps.count()));
      List<TensorSource> tensors =
          kept().stream()
              .map(
                  each ->
                      new TensorSource(
                          each.name,
                          each.rows(),
                          ROW,
                          (from, to, out) ->
                              training()
                                  .read(
                                      each.tensor,
                                      from * ROW,
                                      out.asSlice(0, 4L * ROW * (to - from)))))
              .toList();
      watcher.kept(steps.count(), checkpoints.write(state, tensors));
    }
  }

  // What it is and how it goes.

  /** The file of the model. */
  public Path model() {
    return folder.resolve(config.name() + ".gguf");
  }

  public TrainConfig config() {
    return config;
  }

  public Corpus corpus() {
    return corpus;
  }

  public Batches batches() {
    return batches;
  }

  public Net net() {
    return net;
  }

  public StepPlan plan() {
    return plan;
  }

  /** Steps that are done. */
  public long step() {
    return steps.count();
  }

  /** Steps in all. */
  public long steps() {
    return losses.length;
  }

  /** Of the last step's batch, in nats a token. */
  public double loss() {
    return steps.loss();
  }

  /** Of the texts that are not trained on; NaN before the first time. */
  public double evaluation() {
    return lastEvaluation;
  }

  /** Lately. */
  public double tokensPerSecond() {
    return tokensPerSecond;
  }

  /** Since it began. */
  public double seconds() {
    return secondsBefore + (System.nanoTime() - begun) / 1e9;
  }

  /** Bytes that the process has in memory, as of the last evaluation or the first step. */
  public long memory() {
    return memory;
  }

  @Override
  public void close() {
    journal.close();
    checkpoints.close();
    steps.close();
    net.close();
  }
}
