package dev.ridgeline.bench.train;

import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.train.Schedule.Kind;
import dev.ridgeline.train.config.OptimizerConfig;
import dev.ridgeline.train.loop.StepPlan;
import dev.ridgeline.train.loop.Steps;
import dev.ridgeline.train.net.Gpt2Net;
import dev.ridgeline.train.net.Initial;
import dev.ridgeline.train.net.Kept;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Takes steps for some seconds and says how many tokens a second there were in the later half. */
public final class OurSteps {
  private static final double RATE = 1e-3;
  private static final OptimizerConfig ADAM =
      new OptimizerConfig(RATE, RATE, Kind.CONSTANT, 0, 0.9, 0.95, 1e-8, 0.1, 1);

  private OurSteps() {}

  /** Size, threads and seconds. */
  public static void main(String[] args) {
    Size size = Size.named(args[0]);
    int threads = Integer.parseInt(args[1]);
    System.out.println(tokensPerSecond(size, threads, Double.parseDouble(args[2])));
  }

  private static double tokensPerSecond(Size size, int threads, double seconds) {
    Device device = Device.cpu(threads);
    var net = new Gpt2Net(size.shape(), device);
    Initial.random(1, size.layers()).fill(net.parameters(), device);
    int shards = StepPlan.shards(size.texts(), size.length(), net.parameters().count());
    var plan =
        new StepPlan(shards, size.texts() / shards, size.length(), 1, shards > 1, Kept.ALL, ADAM);
    int[] inputs = ids(size, 1);
    int[] targets = ids(size, 2);
    try (var steps = new Steps(net, device, plan)) {
      return size.tokens() / laterStep(seconds, () -> steps.take(inputs, targets, RATE));
    }
  }

  private static int[] ids(Size size, long seed) {
    return new SplittableRandom(seed).ints(size.tokens(), 0, size.vocabulary()).toArray();
  }

  /** The median of the later half, in seconds: by then all is compiled and in its cache. */
  private static double laterStep(double seconds, Runnable step) {
    List<Double> times = new ArrayList<>();
    long begun = System.nanoTime();
    for (long before = begun, now;
        times.size() < 2 || before - begun < 1e9 * seconds;
        before = now) {
      step.run();
      now = System.nanoTime();
      times.add((now - before) / 1e9);
    }
    return Median.of(
        times.stream().skip(times.size() / 2).mapToDouble(Double::doubleValue).toArray());
  }
}
