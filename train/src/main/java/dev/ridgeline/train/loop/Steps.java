package dev.ridgeline.train.loop;

import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.grad.AdamStep;
import dev.ridgeline.tensor.grad.Grad;
import dev.ridgeline.train.net.Gradients;
import dev.ridgeline.train.net.Net;
import dev.ridgeline.train.net.Parameter;
import dev.ridgeline.train.net.Parameters;
import java.util.ArrayList;

/**
 * Steps of training, one after the other: losses and gradients of a batch, clipped, move the
 * weights.
 *
 * <p>A batch is cut into shards, as many as were planned, whatever the workers. Each has gradients
 * of its own, and they are added up in the order of the shards. So a step's result is the same in
 * every bit for any number of workers and either strategy.
 *
 * <p>Threads: one at a time. A step allocates nothing.
 */
public final class Steps implements AutoCloseable {
  private static final Scope REGION = Scope.of("parallel region");
  private static final Scope SHARD = Scope.of("shard");
  private static final Scope SUM = Scope.of("sum of shards");
  private static final Scope CLIP = Scope.of("clip");
  private static final Scope OPTIMIZER = Scope.of("optimizer");
  private static final Scope PACK = Scope.of("pack");

  /** As in PyTorch. */
  private static final double NORM_EPSILON = 1e-6;

  private final Net net;
  private final Grad grad;
  private final Workers workers;
  private final StepPlan plan;
  private final Net.Pass[] passes;
  private final Gradients[] gradients;

  /** The sum of all shards: the first one's gradients, unless a step has several rounds. */
  private final Gradients total;

  /** What is added to it: all other shards at once, or one at a time if they take turns. */
  private final Tensor[][] added;

  private final double[] losses;
  private final Tensor m;
  private final Tensor v;
  private final Part decaying;
  private final Part others;
  private final AdamStep adam = new AdamStep();
  private final ShardTask task = new ShardTask();
  private long step;
  private double loss;
  private double norm;

  /** The tensors of one pass of the optimizer. */
  private record Part(Tensor weight, Tensor gradient, Tensor m, Tensor v, double decay) {}

  /** Plans everything a step needs, and packs the weights: set them before. */
  public Steps(Net net, Device device, StepPlan plan) {
    this.net = net;
    this.plan = plan;
    this.grad = new Grad(device);
    this.workers = Workers.of(device.batches());
    Parameters parameters = net.parameters();
    int threads = plan.coarse() ? Math.min(workers.count(), plan.shards()) : 1;
    Device each = plan.coarse() ? device.serial() : device;
    passes = new Net.Pass[threads];
    for (int i = 0; i < threads; i++) {
      passes[i] = net.plan(each, plan.textsEach(), plan.length(), plan.kept());
    }
    gradients = new Gradients[plan.coarse() ? plan.shards() : Math.min(2, plan.shards())];
    for (int i = 0; i < gradients.length; i++) gradients[i] = parameters.gradients("gradients");
    total = plan.rounds() == 1 ? gradients[0] : parameters.gradients("gradients");
    added = added();
    losses = new double[plan.shards()];
    m = parameters.alike("optimizer");
    v = parameters.alike("optimizer");
    decaying = part(true, plan.optimizer().decay());
    others = part(false, 0);
    adam.beta1 = plan.optimizer().beta1();
    adam.beta2 = plan.optimizer().beta2();
    adam.epsilon = plan.optimizer().epsilon();
    if (!device.plans()) parameters.pack(grad);
  }

  private Tensor[][] added() {
    if (!plan.coarse()) {
      var each = new Tensor[gradients.length][];
      for (int i = 0; i < each.length; i++) each[i] = new Tensor[] {gradients[i].all()};
      return each;
    }
    var together = new ArrayList<Tensor>();
    for (Gradients each : gradients) if (each != total) together.add(each.all());
    return new Tensor[][] {together.toArray(Tensor[]::new)};
  }

  private Part part(boolean decays, double decay) {
    Parameters all = net.parameters();
    Tensor weight = all.part(all.weights(), decays);
    if (weight == null) return null;
    return new Part(
        weight, all.part(total.all(), decays), all.part(m, decays), all.part(v, decays), decay);
  }

  /**
   * One step.
   *
   * @param inputs ids, text after text, of all rounds
   * @param targets the token after each, −1 where the loss does not count
   * @param rate the learning rate
   */
  public void take(int[] inputs, int[] targets, double rate) {
    int counted = 0;
    for (int i = 0; i < plan.tokens(); i++) if (targets[i] >= 0) counted++;
    float factor = counted == 0 ? 0 : 1f / counted;
    double sum = 0;
    for (int round = 0; round < plan.rounds(); round++) {
      sum += learn(inputs, targets, round, factor);
    }
    loss = counted == 0 ? 0 : sum / counted;
    try (var _ = Profiler.scope(CLIP)) {
      norm = Math.sqrt(grad.sumOfSquares(total.all()));
    }
    if (!Double.isFinite(loss) || !Double.isFinite(norm)) return;
    move(rate);
  }

  /** Whether the last step's loss and gradients were finite; if not, weights are unchanged. */
  public boolean finite() {
    return Double.isFinite(loss) && Double.isFinite(norm);
  }

  /** The sum of losses of one round; its gradients are added to the total. */
  private double learn(int[] inputs, int[] targets, int round, float factor) {
    int offset = round * plan.shards() * plan.tokensEach();
    task.set(inputs, targets, offset, factor, true);
    try (var _ = Profiler.scope(REGION)) {
      if (plan.coarse()) {
        workers.each(task, plan.shards());
        addUp(added[0], round == 0);
      } else {
        for (int i = 0; i < plan.shards(); i++) {
          int turn = i == 0 ? 0 : 1;
          task.learn(0, i, gradients[turn]);
          if (gradients[turn] != total) addUp(added[turn], round == 0 && i == 0);
        }
      }
    }
    return sum();
  }

  /** Adds gradients to the sum, which the first of a step clears if necessary. */
  private void addUp(Tensor[] more, boolean first) {
    if (more.length == 0) return;
    try (var _ = Profiler.scope(SUM)) {
      if (first && total != gradients[0]) grad.zero(total.all());
      grad.add(total.all(), more);
    }
  }

  private void move(double rate) {
    step++;
    double clip = plan.optimizer().clip();
    try (var _ = Profiler.scope(OPTIMIZER)) {
      adam.rate = rate;
      adam.factor = clip > 0 ? Math.min(1, clip / (norm + NORM_EPSILON)) : 1;
      adam.step(step);
      move(decaying);
      move(others);
    }
    try (var _ = Profiler.scope(PACK)) {
      net.parameters().pack(grad);
    }
  }

  private void move(Part part) {
    if (part == null) return;
    adam.decay = part.decay;
    grad.adamW(part.weight, part.gradient, part.m, part.v, adam);
  }

  /**
   * The sum of losses of a round of texts, without learning from them.
   *
   * @param inputs ids, text after text, of one round
   * @param targets the token after each, −1 where the loss does not count
   */
  public double losses(int[] inputs, int[] targets) {
    task.set(inputs, targets, 0, 0, false);
    try (var _ = Profiler.scope(REGION)) {
      if (plan.coarse()) workers.each(task, plan.shards());
      else task.run(0, 0, plan.shards());
    }
    return sum();
  }

  private double sum() {
    double sum = 0;
    for (double each : losses) sum += each;
    return sum;
  }

  /** The name of the first weights with NaN or infinity, or empty. */
  public String broken() {
    if (Double.isFinite(grad.sum(net.parameters().weights()))) return "";
    for (Parameter each : net.parameters().all()) {
      if (!Double.isFinite(grad.sum(each.weight()))) return each.name();
    }
    return "";
  }

  /**
   * The operation that gave the first NaN or infinity in a step that was not {@link #finite}:
   * computes forward and backward again and checks every result.
   */
  public String origin(int[] inputs, int[] targets) {
    String broken = broken();
    if (!broken.isEmpty()) return "weights " + broken;
    for (int i = 0; i < plan.rounds() * plan.shards(); i++) {
      String where = passes[0].origin(inputs, targets, i * plan.tokensEach(), gradients[0]);
      if (!where.isEmpty()) return where;
    }
    return "";
  }

  /** The mean loss of the last step's batch, before it. */
  public double loss() {
    return loss;
  }

  /** The length of all gradients together in the last step, before they were clipped. */
  public double norm() {
    return norm;
  }

  /** Steps so far. */
  public long count() {
    return step;
  }

  /** The means of gradients, for a checkpoint. */
  public Tensor means() {
    return m;
  }

  /** The means of their squares. */
  public Tensor squares() {
    return v;
  }

  /** Continues after so many steps; weights and means have been set. */
  public void resume(long steps) {
    step = steps;
    net.parameters().pack(grad);
  }

  @Override
  public void close() {
    for (Net.Pass pass : passes) pass.close();
    for (Gradients each : gradients) each.close();
    if (plan.rounds() > 1) total.close();
    m.close();
    v.close();
  }

  /** Shards, each computed by one worker. */
  private final class ShardTask implements Workers.Task {
    private int[] inputs;
    private int[] targets;
    private int offset;
    private float factor;
    private boolean learns;

    void set(int[] in, int[] answers, int first, float times, boolean learning) {
      inputs = in;
      targets = answers;
      offset = first;
      factor = times;
      learns = learning;
    }

    @Override
    public void run(int worker, int from, int to) {
      for (int shard = from; shard < to; shard++) {
        if (learns) learn(worker, shard, gradients[shard]);
        else losses[shard] = passes[worker].losses(inputs, targets, shard * plan.tokensEach());
      }
    }

    void learn(int pass, int shard, Gradients to) {
      try (var _ = Profiler.scope(SHARD)) {
        int at = offset + shard * plan.tokensEach();
        losses[shard] = passes[pass].learn(inputs, targets, at, factor, to);
      }
    }
  }
}
