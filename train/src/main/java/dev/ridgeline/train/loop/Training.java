package dev.ridgeline.train.loop;

import dev.ridgeline.model.MachineMemory;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.grad.GradDevice;
import dev.ridgeline.train.Schedule;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.checkpoint.Checkpoint;
import dev.ridgeline.train.checkpoint.Checkpoints;
import dev.ridgeline.train.config.ModelConfig;
import dev.ridgeline.train.config.SampleConfig;
import dev.ridgeline.train.config.TokenizerConfig;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.data.Batches;
import dev.ridgeline.train.data.Corpus;
import dev.ridgeline.train.data.Documents;
import dev.ridgeline.train.data.Evaluation;
import dev.ridgeline.train.log.Journal;
import dev.ridgeline.train.log.JournalReader;
import dev.ridgeline.train.log.Line;
import dev.ridgeline.train.net.Net;
import dev.ridgeline.train.tokenizer.Codebook;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A training, from its configuration to the file of its model. Its folder has the journal, the last
 * checkpoints, and the model as of the last checkpoint.
 *
 * <p>Threads: one; any other may decide the answer to {@link #run}'s question whether to stop.
 */
public final class Training implements AutoCloseable {
  private static final Scope EPOCH = Scope.of("epoch");
  private static final Scope BATCH = Scope.of("batch");
  private static final Scope DATA = Scope.of("data");
  private static final Scope STEP = Scope.of("step");
  private static final Scope EVALUATION = Scope.of("evaluation");
  private static final Scope SAMPLE = Scope.of("sample");
  private static final Scope CHECKPOINT = Scope.of("checkpoint");

  /** Most tokens of a step. */
  private static final long MOST_TOKENS = 1 << 28;

  private final TrainConfig config;
  private final TrainFolder folder;
  private final Device device;
  private final Watcher watcher;

  /** Made once: nothing is allocated in a step. */
  private final Consumer<Watcher> stepped = it -> it.step(this);

  private final Codebook codebook;
  private final Corpus corpus;
  private final Batches batches;
  private final Evaluation evaluation;
  private final Net net;
  private final StepPlan plan;
  private final Steps steps;
  private final Schedule schedule;
  private final Checkpoints checkpoints;
  private final Blueprint blueprint;
  private final ResumableState state;
  private final int[] inputs;
  private final int[] targets;
  private final double[] losses;
  private Journal journal;
  private ResumableState.Snapshot start;
  private long begun;
  private double secondsBefore;
  private long stepsBefore;
  private double tokensPerSecond;
  private long stepNanos;
  private double lastEvaluation = Double.NaN;
  private long evaluatedAt;
  private long sampledAt;
  private long memory;
  private boolean brokenWeights;

  /** What the watcher has thrown, or null; it is not called again after that. */
  private RuntimeException watcherFailure;

  /**
   * Reads data and plans everything; writes nothing yet.
   *
   * @param device one that only plans finds errors and the memory it will take
   * @param resume whether to resume from the newest checkpoint, if there is one; without it a
   *     folder that has one is refused
   */
  public Training(TrainConfig config, Path folder, Device device, boolean resume, Watcher watcher) {
    this.config = config;
    this.folder = new TrainFolder(folder, config);
    this.device = device;
    this.watcher = watcher;
    long tokens = (long) config.batch() * config.accumulate() * config.length();
    if (tokens > MOST_TOKENS) {
      throw new TrainException(
          "batch: %,d tokens per step (batch × accumulate × length), the limit is %,d"
              .formatted(tokens, MOST_TOKENS));
    }
    Documents documents = Documents.of(config);
    this.codebook = Codebook.of(config, documents);
    warnAboutFewer(codebook.tokenizer().size());
    this.corpus = Corpus.read(documents, codebook.tokenizer(), config.data().evaluation());
    int texts = Math.multiplyExact(config.batch(), config.accumulate());
    this.batches = new Batches(corpus, texts, config.length(), config.seed());
    this.evaluation = new Evaluation(corpus, config.batch(), config.length());
    this.checkpoints = new Checkpoints(this.folder.checkpoints(), config.checkpoint().keep());
    this.folder.spareInputs();
    if (!resume && !device.plans() && !checkpoints.isEmpty()) {
      throw new TrainException(folder, "already has a training: --resume continues it");
    }
    if (!resume && !device.plans() && Files.exists(model())) {
      throw new TrainException(model(), "already exists: choose another folder");
    }
    this.blueprint = new Blueprint(config, codebook);
    MachineMemory.require(device, Path.of(config.name()), memory(), false);
    this.net = blueprint.net(device);
    long count = config.steps() > 0 ? config.steps() : batches.steps(config.epochs(), 1);
    this.schedule = config.optimizer().schedule(count);
    this.plan = blueprint.plan(net);
    this.steps = new Steps(net, device, plan);
    this.inputs = new int[plan.tokens()];
    this.targets = new int[plan.tokens()];
    this.losses = new double[Math.toIntExact(count)];
    blueprint.checkPrompt(net);
    String digest = config.digest() + "-" + Long.toHexString(corpus.checksum());
    this.state = new ResumableState(digest, net, steps, batches, losses, GradDevice.of(device));
    if (resume) restore();
  }

  private void warnAboutFewer(int tokens) {
    if (config.tokenizer() instanceof TokenizerConfig.Trained asked
        && tokens < asked.vocabulary()) {
      watcher.warned(
          "vocabulary: the texts yield only %,d tokens, not %,d"
              .formatted(tokens, asked.vocabulary()));
    }
  }

  /** Bytes that it takes outside the heap, by owner. */
  public Map<String, Long> memory() {
    return blueprint.memory(device);
  }

  /** Resumes from the newest checkpoint, if there is one. */
  private void restore() {
    Checkpoint newest = checkpoints.newest(watcher::warned);
    if (newest == null) {
      watcher.warned(folder.path() + " has no checkpoint to resume from: starting over");
      return;
    }
    if (!state.continues(newest)) {
      boolean texts = newest.state().digest().startsWith(config.digest() + "-");
      throw new TrainException(
          newest.path(),
          texts
              ? "belongs to other texts: choose another folder"
              : "belongs to another configuration (steps are part of it; name, evaluate,"
                  + " checkpoint, sample, recompute and strategy are not): choose another"
                  + " folder");
    }
    if (!device.plans()) state.read(newest);
  }

  private Journal opened() {
    folder.claim();
    if (steps.count() == 0) return Journal.create(journalFile());
    Journal resumed = Journal.resume(journalFile(), steps.count(), watcher::warned);
    for (Line line : JournalReader.read(journalFile())) {
      if (line instanceof Line.Step step) secondsBefore = step.seconds();
      if (line instanceof Line.Evaluation evaluated) {
        lastEvaluation = evaluated.loss();
        evaluatedAt = evaluated.step();
      }
      if (line instanceof Line.Sample sample) sampledAt = sample.step();
    }
    return resumed;
  }

  /** Does what was due after the last step before training was stopped. */
  private void catchUp() {
    if (evaluatedAt < steps.count() && evaluationIsDue(false)) evaluate();
    if (sampledAt < steps.count() && sampleIsDue(false)) {
      writeModel();
      sample();
    }
  }

  /**
   * Trains until all steps are done, or until it is asked to stop: then it writes a checkpoint.
   *
   * @return whether all steps are done
   */
  public boolean run(BooleanSupplier stop) {
    if (start != null) start.close();
    start = null;
    journal = opened();
    begun = System.nanoTime();
    stepsBefore = steps.count();
    watcher.begins(this);
    if (done()) {
      writeModel(); // it may have been killed before it could
    } else {
      boolean trained = config.model() instanceof ModelConfig.Continued;
      // The loss before shows what this training gains.
      if (steps.count() == 0 && trained && evaluation.targets() > 0) evaluate();
      if (steps.count() > 0) catchUp();
      steps(() -> ends(stop));
    }
    return done();
  }

  /** What is due after each step; whether it was the last. */
  private boolean ends(BooleanSupplier stop) {
    report();
    boolean paused = !done() && stop.getAsBoolean();
    if (!paused) alongTheWay(done());
    if (paused || watcherFailure != null && !done()) {
      writeCheckpoint();
      writeModel();
    }
    if (watcherFailure != null) throw watcherFailure;
    return paused || done();
  }

  /** If the watcher fails, all that is due is done and saved before training ends. */
  private void announce(Consumer<Watcher> event) {
    if (watcherFailure != null) return;
    try {
      event.accept(watcher);
    } catch (RuntimeException e) {
      watcherFailure = e;
    }
  }

  private boolean done() {
    return steps.count() == losses.length;
  }

  /**
   * Takes steps and nothing else, to measure them: no evaluation, no checkpoint, no line in the
   * journal. At least one.
   *
   * @param ends asked after each of them
   */
  public void dryRun(BooleanSupplier ends) {
    if (start == null) start = state.snapshot();
    steps(ends);
  }

  /** Restores everything to its state before the first dry run. */
  public void rewind() {
    if (start != null) start.restore();
  }

  /** Steps in the scopes that a profile shows. */
  private void steps(BooleanSupplier ends) {
    boolean ended = false;
    while (!ended) {
      long epoch = batches.epoch();
      try (var _ = Profiler.scope(EPOCH)) {
        do {
          try (var _ = Profiler.scope(BATCH)) {
            takeStep();
          }
          ended = ends.getAsBoolean();
        } while (!ended && batches.epoch() == epoch);
      }
    }
  }

  private void takeStep() {
    long from = System.nanoTime();
    try (var _ = Profiler.scope(DATA)) {
      batches.next(inputs, targets);
    }
    long number = steps.count();
    try (var _ = Profiler.scope(STEP)) {
      steps.take(inputs, targets, rate(number));
    }
    if (!steps.finite()) throw notFinite(number);
    stepNanos = System.nanoTime() - from;
  }

  private double rate(long number) {
    return schedule.at(Math.min(number, losses.length - 1));
  }

  private void report() {
    long number = steps.count() - 1;
    losses[(int) number] = steps.loss();
    double speed = plan.tokens() / (stepNanos / 1e9);
    tokensPerSecond = tokensPerSecond == 0 ? speed : 0.9 * tokensPerSecond + 0.1 * speed;
    if (memory == 0) memory = Resident.bytes();
    journal.step(
        number + 1, steps.loss(), rate(number), steps.norm(), tokensPerSecond, seconds(), memory);
    announce(stepped);
  }

  private TrainException notFinite(long number) {
    boolean loss = !Double.isFinite(steps.loss());
    String where = steps.origin(inputs, targets);
    return new TrainException(
        "step %d: %s is %s%s; the last checkpoint is unchanged"
            .formatted(
                number + 1,
                loss ? "loss" : "gradient norm",
                loss ? steps.loss() : steps.norm(),
                where.isEmpty() ? "" : ", first in " + where));
  }

  private void alongTheWay(boolean last) {
    long done = steps.count();
    if (evaluationIsDue(last)) evaluate();
    boolean keeps = due(done, config.checkpoint().every(), last);
    boolean samples = sampleIsDue(last);
    if (keeps) writeCheckpoint();
    if (keeps || samples) writeModel();
    if (samples) sample();
  }

  private boolean evaluationIsDue(boolean last) {
    return evaluation.targets() > 0 && due(steps.count(), config.evaluate().every(), last);
  }

  private boolean sampleIsDue(boolean last) {
    SampleConfig sample = config.sample();
    return sample.tokens() > 0 && due(steps.count(), sample.every(), last);
  }

  private static boolean due(long done, int every, boolean last) {
    return last || every > 0 && done % every == 0;
  }

  private void evaluate() {
    long from = System.nanoTime();
    try (var _ = Profiler.scope(EVALUATION)) {
      lastEvaluation = evaluation.loss(steps::losses);
    }
    memory = Resident.bytes();
    journal.evaluation(
        steps.count(), lastEvaluation, evaluation.targets(), (System.nanoTime() - from) / 1e9);
    announce(it -> it.evaluated(steps.count(), lastEvaluation));
  }

  private void writeModel() {
    try (var _ = Profiler.scope(CHECKPOINT)) {
      ModelFile.write(net, device, config.name(), codebook.vocabulary(), model());
    }
  }

  private void sample() {
    String prompt = config.sample().prompt();
    try (var _ = Profiler.scope(SAMPLE)) {
      String text = blueprint.sample(model(), net.context(), steps.count());
      journal.sample(steps.count(), prompt, text);
      announce(it -> it.sampled(steps.count(), prompt, text));
    }
  }

  /** Writes a checkpoint, unless the last step has broken the weights. */
  private void writeCheckpoint() {
    String broken = steps.broken();
    if (!broken.isEmpty()) {
      brokenWeights = true;
      throw new TrainException(
          "step %d: weights %s contain NaN or infinity; the last checkpoint is unchanged"
              .formatted(steps.count(), broken));
    }
    try (var _ = Profiler.scope(CHECKPOINT)) {
      Path file = state.write(checkpoints);
      announce(it -> it.kept(steps.count(), file));
    }
  }

  /** A line for each step, evaluation and sample. */
  public Path journalFile() {
    return folder.journal();
  }

  /** Where its page belongs, which others write. */
  public Path page() {
    return folder.page();
  }

  /** The file of the model. */
  public Path model() {
    return folder.model();
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

  /** Whether the last step's loss and gradients were finite; if not, training has ended. */
  public boolean finite() {
    return steps.finite() && !brokenWeights;
  }

  /** Duration of the last step, with the reading of its texts. */
  public long stepNanos() {
    return stepNanos;
  }

  /** A digest of all weights: the first 16 bytes of their SHA-256. */
  public String fingerprint() {
    return state.fingerprint();
  }

  /** Of the last step's batch, in nats per token. */
  public double loss() {
    boolean resumed = steps.count() > 0 && steps.count() == stepsBefore;
    return resumed ? losses[(int) steps.count() - 1] : steps.loss();
  }

  /** Whether there was nothing left to do when it was resumed. */
  public boolean wasDone() {
    return stepsBefore == losses.length;
  }

  /** Seconds left at the mean speed since training started or was resumed. */
  public double secondsLeft() {
    long taken = steps.count() - stepsBefore;
    double since = (System.nanoTime() - begun) / 1e9;
    return taken == 0 ? Double.NaN : since / taken * (losses.length - steps.count());
  }

  /** Tokens per second of all its time, with evaluations, samples and checkpoints. */
  public double overall() {
    return steps.count() * (double) plan.tokens() / seconds();
  }

  /** The loss on texts that are not trained on; NaN before the first evaluation. */
  public double evaluation() {
    return lastEvaluation;
  }

  /** A moving average. */
  public double tokensPerSecond() {
    return tokensPerSecond;
  }

  /** Since training started, with those before it was resumed. */
  public double seconds() {
    return secondsBefore + (System.nanoTime() - begun) / 1e9;
  }

  /** Bytes that the process has in memory, as of the last evaluation or the first step. */
  public long resident() {
    return memory;
  }

  @Override
  public void close() {
    if (start != null) start.close();
    if (journal != null) journal.close();
    folder.close();
    checkpoints.close();
    steps.close();
    net.close();
  }
}
