package dev.ridgeline.lab.verdict;

import java.util.Arrays;
import java.util.Random;

/**
 * A session on a made-up machine: forks in two modes, a drift that turns, now and then a slow
 * trial.
 *
 * @param most pairs that the budget allows
 * @param spread of a trial, as a log-ratio
 * @param effect of B, as a log-ratio: positive is faster
 */
record SimulatedSession(Design design, int most, double spread, double effect) {

  Rule.Finding run(long seed) {
    Random random = new Random(seed);
    double[] effects = new double[most];
    double[] noises = new double[most];
    double[] shares = new double[most];
    int second = -1;
    double phase = 2 * Math.PI * random.nextDouble();
    double swing = 0.15 * random.nextDouble();
    for (int n = 0; ; ) {
      double[] speed = new double[3];
      int[] order = order(random);
      for (int place = 0; place < 3; place++) {
        double time = 3.0 * n + place;
        speed[order[place]] = swing * Math.sin(phase + time / 20) + noise(random);
      }
      effects[n] = speed[2] + effect - (speed[0] + speed[1]) / 2;
      noises[n] = speed[1] - speed[0];
      n++;
      shares[n - 1] = (double) n / most;
      Rule.Pairs pairs =
          new Rule.Pairs(
              Arrays.copyOf(effects, n),
              Arrays.copyOf(noises, n),
              Arrays.copyOf(shares, n),
              second);
      Rule.Finding finding = n == most ? Rule.atEnd(design, pairs) : Rule.after(design, pairs);
      if (finding.next() == Rule.Next.STOP) return finding;
      if (finding.next() == Rule.Next.SECOND_BLOCK) second = n;
    }
  }

  /** Half of it is the mode of the fork, half scatters with heavy tails. */
  private double noise(Random random) {
    double mode = random.nextBoolean() ? 1 : -1;
    double tail = random.nextGaussian() * (random.nextInt(20) == 0 ? 3 : 1);
    return spread * (0.7 * mode + 0.6 * tail);
  }

  private static int[] order(Random random) {
    int[] order = {0, 1, 2};
    for (int i = 2; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    return order;
  }
}
