package dev.ridgeline.bench.peers;

import com.sun.management.OperatingSystemMXBean;
import dev.ridgeline.bench.peers.Engine.Timing;
import dev.ridgeline.lab.roofline.CeilingsProbe;
import dev.ridgeline.lab.stats.Median;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Times engines in turns: never two at once, and each round in the other order. */
final class Rounds {
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final int LOOK_MILLIS = 50;
  private static final int MOST_LOOKS = 60;

  private final Work.Kind kind;
  private final Effort effort;

  /**
   * How long to measure.
   *
   * @param warmNanos each engine before the first round
   * @param nanos each engine in a round at least
   */
  record Effort(int rounds, long warmNanos, long nanos) {
    static final Effort QUICK = new Effort(2, 200_000_000L, 100_000_000L);

    static Effort of(int rounds) {
      return new Effort(rounds, 4_000_000_000L, 2_000_000_000L);
    }
  }

  /**
   * What came of it.
   *
   * @param figures of each engine in each round
   * @param dram bytes a second that memory was read with before each round and behind the last;
   *     empty where that does not matter
   */
  record Measured(List<double[]> figures, List<Double> dram) {}

  Rounds(Work.Kind kind, Effort effort) {
    this.kind = kind;
    this.effort = effort;
  }

  /** Measures engines beside each other. */
  Measured measure(List<Engine> engines) {
    List<double[]> figures = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (Engine engine : engines) {
      settle();
      figure(engine, effort.warmNanos);
      order.add(figures.size());
      figures.add(new double[effort.rounds]);
    }
    List<Double> dram = new ArrayList<>();
    for (int round = 0; round < effort.rounds; round++) {
      read(dram);
      for (int i : order) {
        settle();
        figures.get(i)[round] = figure(engines.get(i), effort.nanos);
      }
      Collections.reverse(order);
      System.out.printf("  round %d of %d:", round + 1, effort.rounds);
      for (int i = 0; i < engines.size(); i++) {
        System.out.printf("  %s %.2f", engines.get(i).name(), figures.get(i)[round]);
      }
      System.out.println(" " + kind.unit);
    }
    read(dram);
    return new Measured(figures, dram);
  }

  /** Decoding can be no faster than memory is at that time. */
  private void read(List<Double> dram) {
    if (kind != Work.Kind.DECODE) return;
    settle();
    dram.add(CeilingsProbe.readOnce(Engine.THREADS));
  }

  /** Texts or tokens a second, or milliseconds. */
  private double figure(Engine engine, long nanos) {
    Timing sum = new Timing(0, 0);
    List<Double> millis = new ArrayList<>();
    long begin = System.nanoTime();
    do {
      Timing timing = engine.run();
      sum = sum.plus(timing);
      if (kind.latency()) millis.add(timing.nanos() / 1e6);
    } while (System.nanoTime() - begin < nanos);
    if (!kind.latency()) return sum.rate();
    return Median.of(millis.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /**
   * The fastest of several ways to set an engine up, ready for the work.
   *
   * @param sample a smaller work to try them with
   */
  <S, T, E extends Engine> E best(List<S> setups, SetupOf<S, T, E> opening, T sample, T work) {
    S best = setups.getFirst();
    double fastest = Double.NEGATIVE_INFINITY;
    for (S setup : setups) {
      if (setups.size() == 1) break;
      try (E engine = opening.open(setup, sample)) {
        settle();
        figure(engine, effort.nanos / 4);
        double figure = figure(engine, effort.nanos / 2);
        System.out.printf(
            "  tried %s, %s: %.2f %s%n", engine.name(), engine.setup(), figure, kind.unit);
        double speed = kind.latency() ? -figure : figure;
        if (speed > fastest) {
          fastest = speed;
          best = setup;
        }
      }
    }
    return opening.open(best, work);
  }

  /** Makes an engine of a setup and a work. */
  interface SetupOf<S, T, E extends Engine> {
    E open(S setup, T work);
  }

  /** Threads of the engine before go on looking for work for a while: waits until they sleep. */
  private static void settle() {
    try {
      for (int i = 0; i < MOST_LOOKS; i++) {
        long before = PROCESS.getProcessCpuTime();
        Thread.sleep(LOOK_MILLIS);
        if (PROCESS.getProcessCpuTime() - before < LOOK_MILLIS * 1_000_000L / 10) return;
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
