package dev.ridgeline.cli.train;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.GarbageCount;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.RepeatedWorkload;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.loop.Training;
import dev.ridgeline.train.loop.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A training under the profiler: all of it, as {@code train} does it, or rounds of steps, each from
 * the same weights and texts on, so that every round must end with the same bits.
 */
final class TrainWorkload extends RepeatedWorkload {
  /**
   * What is run.
   *
   * @param source of the configuration: its file, or a preset's name
   * @param folder where it is kept; a temporary one where nothing is
   * @param whole whether all that the configuration says is trained and kept
   * @param device what computes
   * @param amount how much is measured: steps of a round, and rounds
   */
  record Plan(
      Path source,
      TrainConfig config,
      Path folder,
      boolean whole,
      boolean resume,
      DeviceChoice device,
      Amount amount) {}

  private final Plan plan;
  private final Progress progress;
  private final Device device;
  private final Training training;
  private final Map<String, Long> memory;
  private final Rounds rounds = new Rounds();
  private final GarbageCount collections = new GarbageCount();

  /** Made once: a round that is measured allocates nothing. */
  private final BooleanSupplier ends = this::ends;

  private final List<String> wrong = new ArrayList<>();
  private double firstLoss = Double.NaN;
  private double fastest = Double.POSITIVE_INFINITY;
  private long most;
  private String digest = "";

  TrainWorkload(Plan plan, Progress progress) {
    super("train", plan.amount());
    this.plan = plan;
    this.progress = progress;
    this.device = plan.device().open();
    this.training = new Training(plan.config(), plan.folder(), device, plan.resume(), new Shown());
    this.memory = training.memory();
    if (plan.whole() && training.step() == training.steps()) {
      close();
      throw new Problem("%s: all steps are done, none is left to measure".formatted(plan.folder()));
    }
  }

  /** Steps of a whole training, as they come. */
  private final class Shown implements Watcher {
    private static final long SHOWN_NANOS = 500_000_000;
    private long last;

    @Override
    public void step(Training its) {
      rounds.step(its.stepNanos());
      if (System.nanoTime() - last < SHOWN_NANOS) return;
      last = System.nanoTime();
      progress.step(TrainingPrinter.line(its));
    }

    @Override
    public void warned(String line) {
      progress.note(line);
    }
  }

  @Override
  public String title() {
    long steps = plan.whole() ? training.steps() : length().units();
    return "%s · %s · %s of %s%s · %s%s"
        .formatted(
            training.config().name(),
            Prospect.model(training),
            Quantity.many(steps, "step"),
            Prospect.batch(training),
            plan.whole() ? "" : ", " + times(),
            Prospect.computing(training, plan.device().workers()),
            ending());
  }

  @Override
  protected String interruption() {
    return "after " + Quantity.many(rounds.steps(), "step");
  }

  @Override
  public void warmUp(Progress shown) {
    unlessDiverged(() -> super.warmUp(shown));
  }

  @Override
  public void measure(Progress shown) {
    if (wrong.isEmpty()) unlessDiverged(() -> super.measure(shown));
  }

  /** A loss that is no number any more is a result. */
  private void unlessDiverged(Runnable work) {
    try {
      work.run();
    } catch (TrainException e) {
      if (training.finite()) throw e;
      wrong.add(e.getMessage());
    }
  }

  @Override
  protected Pace.Speed warm(int index, Progress shown) {
    most = plan.whole() ? Long.MAX_VALUE : length().units();
    Rounds.Round round = steps();
    rounds.clear();
    training.rewind();
    long tokens = (long) round.steps() * training.plan().tokens();
    took(round.nanos(), tokens, round.allocatedBytes());
    fastest = Math.min(fastest, round.nanos() / 1e9 / round.steps());
    return new Pace.Speed(0, fastest);
  }

  private Rounds.Round steps() {
    rounds.begin();
    training.dryRun(ends);
    return rounds.end();
  }

  private boolean ends() {
    rounds.step(training.stepNanos());
    return rounds.taken() >= most || endsEarly();
  }

  @Override
  protected double round(int index) {
    collections.begin();
    try {
      return plan.whole() ? train() : measured(index);
    } finally {
      collections.end();
    }
  }

  private double train() {
    rounds.begin();
    try {
      if (training.run(this::isCancelled)) digest = fingerprint();
    } finally {
      if (rounds.taken() > 0) rounds.end();
    }
    return 0;
  }

  private double measured(int index) {
    most = length().units();
    if (index > 0) training.rewind();
    Rounds.Round round = steps();
    if (round.steps() == length().units()) compare(index);
    return round.nanos() / 1e9;
  }

  /** The same steps from the same weights must end with the same bits, each time. */
  private void compare(int round) {
    double loss = training.loss();
    if (round == 0) {
      firstLoss = loss;
      digest = fingerprint();
    } else if (loss != firstLoss) {
      wrong.add(
          "round %d ended with loss %s, the first with %s".formatted(round + 1, loss, firstLoss));
    }
  }

  private String fingerprint() {
    return "sha256:" + training.fingerprint();
  }

  @Override
  public Outcome outcome(Profile profile) {
    if (plan.whole() && training.step() > 0) {
      TrainingPage.write(training, plan.device().workers(), plan.source());
    }
    if (!plan.whole() && rounds.all().size() > 1 && !isCancelled() && wrong.isEmpty()) {
      String last = fingerprint();
      if (!last.equals(digest)) wrong.add("the last round's weights are not the first one's");
    }
    return new Outcome(
        configuration(),
        plan(),
        conditions(profile),
        metrics(profile),
        digest,
        wrong,
        List.of(),
        (double) rounds.steps() * samples());
  }

  /** Sequences of a step. */
  private int samples() {
    return training.config().batch() * training.config().accumulate();
  }

  private Map<String, String> configuration() {
    Map<String, String> configuration = new LinkedHashMap<>();
    configuration.put("configuration", plan.source().toString());
    configuration.put("model", Prospect.model(training));
    boolean bundled = plan.config().folder().equals(plan.folder());
    configuration.put("data", bundled ? "bundled texts" : training.corpus().name());
    configuration.put("tokens", "#%08x".formatted(training.corpus().checksum()));
    configuration.put("batch", Prospect.batch(training));
    if (plan.whole()) {
      configuration.put("steps", Quantity.count(training.steps()));
    } else {
      configuration.put("steps", length().units() + " a round");
      configuration.put("rounds", times());
    }
    configuration.put("seed", Long.toString(training.config().seed()));
    configuration.put("warm-up, at most", asked.warmUp() + " s");
    return configuration;
  }

  private Map<String, String> plan() {
    Map<String, String> ran = new LinkedHashMap<>();
    ran.put("strategy", Prospect.strategy(training.plan()));
    ran.put(
        "shards",
        "%d of %s"
            .formatted(
                training.plan().shards(), Quantity.many(training.plan().textsEach(), "sequence")));
    ran.put("workers", Integer.toString(plan.device().workers()));
    switch (training.plan().kept()) {
      case ALL -> {}
      case HALVES -> ran.put("activations", "kept as bf16");
      case INPUTS -> ran.put("activations", "computed again");
    }
    ran.putAll(device.plan());
    return ran;
  }

  private Map<String, String> conditions(Profile profile) {
    Map<String, String> ran = conditions("step", "--steps");
    if (!plan.whole() && !rounds.all().isEmpty()) {
      ran.put("allocated", rounds.allocated("step", results(), profile, collections));
    }
    if (plan.whole()) ran.put("model", training.model().toString());
    return ran;
  }

  /** Bytes of activations and gradients, which are planned once here. */
  private long results() {
    return memory.getOrDefault("workspace", 0L) + memory.getOrDefault("gradients", 0L);
  }

  private List<Metric> metrics(Profile profile) {
    List<Metric> metrics = new ArrayList<>();
    if (!rounds.all().isEmpty()) {
      int samples = samples();
      int tokens = training.plan().tokens();
      metrics.add(rate("trained", "samples/s", samples));
      metrics.add(rate("trained tokens", "tokens/s", tokens));
      metrics.addAll(rounds.times("a step"));
      if (plan.whole()) metrics.addAll(allocated(profile));
      else metrics.add(rounds.allocated("step"));
      metrics.add(collections.metric());
    }
    metrics.add(Metric.of("results of a step", "MB", Better.NEITHER, results() / 1e6));
    add(metrics, "loss", training.loss());
    add(metrics, "evaluation", training.evaluation());
    return metrics;
  }

  private static void add(List<Metric> metrics, String name, double loss) {
    if (Double.isFinite(loss)) metrics.add(Metric.of(name, "nats", Better.NEITHER, loss));
  }

  private Metric rate(String name, String unit, int each) {
    return Metric.of(
        name,
        unit,
        Better.HIGHER,
        rounds.each(round -> 1e9 * round.steps() * each / round.nanos()));
  }

  /** Of batches alone: evaluations, samples and checkpoints allocate, and may. */
  private static List<Metric> allocated(Profile profile) {
    CallTree.Node batch = profile.tree().find("epoch", "batch");
    if (batch == null || batch.allocatedBytes() == Profile.UNKNOWN) return List.of();
    double each = (double) batch.allocatedBytes() / batch.calls();
    return List.of(Metric.of("allocated per step", "B", Better.LOWER, each));
  }

  @Override
  public void close() {
    training.close();
    device.close();
    if (!plan.whole()) delete(plan.folder());
  }

  /** A temporary folder and what is in it. */
  static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }
}
