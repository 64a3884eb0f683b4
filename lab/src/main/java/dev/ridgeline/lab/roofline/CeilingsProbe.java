package dev.ridgeline.lab.roofline;

import dev.ridgeline.lab.roofline.Team.Reached;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import dev.ridgeline.report.roofline.Ceilings.Traffic;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.tensor.LargePages;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Cache;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Measures what this machine can do, in a few seconds.
 *
 * <p>Everything is measured in each of several rounds, so that a spread tells how the machine
 * drifts and not only how one moment was. A round's figure is the best of some short windows (see
 * {@link Team}); the ceiling is the median over the rounds, without those in which others had the
 * cores all the time.
 *
 * <p>Caches are measured on half of what each core has of them, memory on eight times the last
 * cache and for longer: for half a millisecond it can be twice as fast as it is for ten. There are
 * two ways through memory, and the faster counts: plain loads and stores, which go through the
 * caches as in most kernels, or lines fetched ahead and stores past the caches. Bytes are those
 * loaded and stored, not the lines that a processor reads before it writes to them.
 */
public final class CeilingsProbe {
  /** Memory to measure on at least, and at most. */
  private static final long LEAST_BYTES = 64 << 20;

  private static final long MOST_BYTES = 2L << 30;

  /**
   * What each thread's memory begins at a multiple of. Where a processor guesses the way of its
   * cache by a few bits of the address (AMD), 16 kB across some boundaries do not fit its 32.
   */
  private static final long HUGE = LargePages.BYTES;

  /** On a busy machine windows are repeated; so long, and no further round begins. */
  private static final long PATIENCE_NANOS = 5_500_000_000L;

  private static final int LEAST_ROUNDS = 3;

  /** How much longer a window of memory is. */
  private static final int SUSTAINED = 16;

  /** The same for what was never measured without others. */
  private static final long MORE_PATIENCE_NANOS = 7_000_000_000L;

  /** No round begins that would probably end later, however few there were. */
  private static final long LONGEST_NANOS = 9_000_000_000L;

  private CeilingsProbe() {}

  /**
   * How much to measure.
   *
   * @param memory bytes of the buffer that stands for DRAM
   */
  record Effort(int rounds, int windows, long windowNanos, long memory) {
    static Effort usual(Caches caches, int threads, Machine machine) {
      long last = caches.farBytes(threads);
      // Not so much that a small container is ended for it.
      long room = Math.max(machine.memoryBytes(), machine.limits().memoryBytes());
      if (machine.limits().memoryBytes() > 0) room = Math.min(room, machine.limits().memoryBytes());
      long most = room > 0 ? Math.clamp(room / 8, LEAST_BYTES, MOST_BYTES) : MOST_BYTES;
      return new Effort(7, 12, 500_000, Math.clamp(8 * last, LEAST_BYTES, most));
    }
  }

  /** This machine's ceilings, measured now. */
  public static Ceilings measure(Progress progress) {
    progress.step("preparing to measure this machine's ceilings, once a week");
    Caches caches = Caches.here();
    int threads = Workers.cpus();
    Ceilings measured =
        measure(
            CpuFeatures.here(),
            caches,
            threads,
            Effort.usual(caches, threads, Machine.here()),
            progress);
    forgetPeak();
    return measured;
  }

  /**
   * Resets the peak RSS that Linux keeps: the buffers of the measurement are freed, and a run
   * should not be blamed for them.
   */
  private static void forgetPeak() {
    try {
      Files.writeString(Path.of("/proc/self/clear_refs"), "5");
    } catch (IOException | UnsupportedOperationException | SecurityException _) {
      // Other systems keep their peak; that is no reason to fail.
    }
  }

  /**
   * The rate of one kind of arithmetic in one round, on registers as wide as the kernels of this
   * process use; empty where the CPU has no such thing.
   */
  public static OptionalDouble once(Arithmetic kind, int threads) {
    Effort effort = Effort.usual(Caches.here(), threads, Machine.here());
    try (Arena arena = Arena.ofShared()) {
      var loads = new Loads(CpuFeatures.here(), arena);
      Tier tier = Tier.here();
      var bits =
          loads.widths(kind).stream()
              .filter(width -> tier == null || uses(tier, kind, width))
              .findFirst();
      if (bits.isEmpty()) return OptionalDouble.empty();
      List<Load> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) all.add(loads.compute(kind, bits.get()));
      return OptionalDouble.of(new Team(all, effort.windowNanos).best(effort.windows).rate());
    }
  }

  /** Those of the instructions that the kernels of this process use, in a lower tier, too. */
  public static Ceilings ofTier(Ceilings all) {
    Tier tier = Tier.here();
    return tier == null ? all : all.only(each -> uses(tier, each.kind(), each.bits()));
  }

  static boolean uses(Tier tier, Arithmetic kind, int bits) {
    if (bits > 256 && !tier.wide()) return false;
    return switch (kind) {
      case INT8 -> tier.dots();
      case AMX_INT8, AMX_BF16 -> tier == Tier.AMX;
      default -> true;
    };
  }

  /** Bytes a second that threads read from memory together, in one round. */
  public static double readOnce(int threads) {
    try (var reading = new MemoryStream(threads)) {
      return reading.once();
    }
  }

  /** Goes through the same memory, in large pages, as often as asked. */
  public static final class MemoryStream implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final Effort effort;
    private final Doing doing;

    /** Reads alone. */
    public MemoryStream(int threads) {
      this(Flow.READ, threads);
    }

    public MemoryStream(Flow flow, int threads) {
      effort = Effort.usual(Caches.here(), threads, Machine.here());
      Slices slices = Slices.of(effort, threads, arena);
      doing = fromMemory(new Loads(CpuFeatures.here(), arena), flow, slices, threads);
    }

    /** Bytes a second of the threads together, in one round. */
    public double once() {
      return doing.reach(effort).rate();
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  static Ceilings measure(
      CpuFeatures cpu, Caches caches, int threads, Effort effort, Progress progress) {
    try (Arena arena = Arena.ofShared()) {
      var loads = new Loads(cpu, arena);
      List<Doing> doings = new ArrayList<>();
      List<ComputeDoing> compute = compute(loads, threads);
      for (ComputeDoing each : compute) doings.addAll(List.of(each.one, each.all));
      List<MemoryDoing> memory = memory(loads, caches, threads, effort, arena);
      for (MemoryDoing each : memory) {
        doings.addAll(each.one);
        doings.addAll(each.all);
      }
      // Until the code that calls is compiled, it costs; a window each, and nobody looks.
      for (Doing doing : doings) {
        for (List<Load> way : doing.ways) new Team(way, effort.windowNanos).best(1);
      }
      long begin = System.nanoTime();
      for (int round = 0; round < effort.rounds; round++) {
        long nanos = System.nanoTime() - begin;
        if (round >= LEAST_ROUNDS && nanos > PATIENCE_NANOS) break;
        // One more may be too long on a slow machine.
        if (round > 0 && nanos + nanos / round > LONGEST_NANOS) break;
        progress.step(
            "measuring this machine's ceilings %d/%d".formatted(round + 1, effort.rounds));
        for (Doing doing : doings) doing.round(effort);
      }
      while (System.nanoTime() - begin < MORE_PATIENCE_NANOS
          && doings.stream().anyMatch(Doing::disturbed)) {
        for (Doing doing : doings) if (doing.disturbed()) doing.round(effort);
      }
      return new Ceilings(
          Instant.now().truncatedTo(ChronoUnit.MILLIS),
          threads,
          compute.stream().map(ComputeDoing::ceiling).toList(),
          memory.stream().map(MemoryDoing::ceiling).toList());
    }
  }

  /**
   * Something to be measured, and what was reached in each round.
   *
   * @param ways to do it, a load for each thread; the fastest counts
   */
  private record Doing(List<List<Load>> ways, boolean sustained, List<Reached> rounds) {
    Doing(List<Load> loads) {
      this(List.of(loads), false, new ArrayList<>());
    }

    void round(Effort effort) {
      rounds.add(reach(effort));
    }

    /** Where it lasts, a few long windows instead of many short ones. */
    Reached reach(Effort effort) {
      int longer = sustained ? SUSTAINED : 1;
      Reached best = new Reached(0, false);
      for (List<Load> way : ways) {
        Team team = new Team(way, effort.windowNanos * longer);
        best = best.or(team.best(Math.max(2, effort.windows / longer)));
      }
      return best;
    }

    /** Whether others had the cores whenever it was measured. */
    boolean disturbed() {
      return rounds.stream().noneMatch(Reached::undisturbed);
    }

    Rate rate() {
      boolean some = !disturbed();
      double[] rates =
          rounds.stream()
              .filter(round -> !some || round.undisturbed())
              .mapToDouble(Reached::rate)
              .sorted()
              .toArray();
      return new Rate(Median.of(rates), rates[0], rates[rates.length - 1], null, !some);
    }
  }

  private record ComputeDoing(Arithmetic kind, int bits, Doing one, Doing all) {
    Compute ceiling() {
      return new Compute(kind, bits, one.rate(), all.rate(), 0);
    }
  }

  /** One for each {@link Flow}. */
  private record MemoryDoing(Level level, long bytes, List<Doing> one, List<Doing> all) {
    Memory ceiling() {
      return new Memory(level, bytes, traffic(one), traffic(all), 0);
    }

    private static Traffic traffic(List<Doing> flows) {
      return new Traffic(
          flows.get(Flow.READ.ordinal()).rate(),
          flows.get(Flow.WRITE.ordinal()).rate(),
          flows.get(Flow.COPY.ordinal()).rate());
    }
  }

  private static List<ComputeDoing> compute(Loads loads, int threads) {
    List<ComputeDoing> doings = new ArrayList<>();
    for (Arithmetic kind : Arithmetic.values()) {
      for (int bits : loads.widths(kind)) {
        List<Load> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) all.add(loads.compute(kind, bits));
        Doing one = new Doing(List.of(all.getFirst()));
        doings.add(new ComputeDoing(kind, bits, one, new Doing(all)));
      }
    }
    return doings;
  }

  /** A buffer that stands for DRAM, a slice of so many bytes for each thread. */
  private record Slices(long begin, long bytes, long stride) {
    static Slices of(Effort effort, int threads, Arena arena) {
      long bytes = effort.memory / threads / Loads.PIECE * Loads.PIECE;
      if (bytes == 0) throw new IllegalArgumentException(effort.memory + " bytes of memory");
      long stride = (bytes + Loads.SLACK + HUGE - 1) / HUGE * HUGE;
      var buffer = LargePages.allocate(stride * threads, arena);
      Pattern.fill(buffer); // not before somebody writes to them are there pages
      return new Slices(buffer.address(), bytes, stride);
    }

    long at(int thread) {
      return begin + thread * stride;
    }

    /** All of them as one. */
    Slices whole(int slices) {
      return new Slices(begin, bytes * slices, stride * slices);
    }
  }

  private static List<MemoryDoing> memory(
      Loads loads, Caches caches, int threads, Effort effort, Arena arena) {
    Slices slices = Slices.of(effort, threads, arena);
    long slice = slices.bytes;
    List<MemoryDoing> doings = new ArrayList<>();
    for (Level level : Level.values()) {
      Optional<Cache> cache = caches.at(level);
      boolean past = level == Level.DRAM;
      if (!past && cache.isEmpty()) continue;
      // Half of what each core has of it, also while the others are idle.
      long each = past ? slice : cache.get().bytes() / 2 / Math.min(threads, cache.get().sharers());
      each = Math.min(each, slice);
      List<Doing> alone = new ArrayList<>();
      List<Doing> together = new ArrayList<>();
      for (Flow flow : Flow.values()) {
        if (past) {
          alone.add(fromMemory(loads, flow, slices.whole(threads), 1));
          together.add(fromMemory(loads, flow, slices, threads));
          continue;
        }
        List<Load> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) all.add(loads.stream(flow, slices.at(i), each, false));
        alone.add(new Doing(List.of(all.getFirst())));
        together.add(new Doing(all));
      }
      long bytes = cache.map(Cache::bytes).orElse(0L);
      doings.add(new MemoryDoing(level, bytes, alone, together));
    }
    return doings;
  }

  /** What no cache holds, each thread in a slice of its own, in both ways. */
  private static Doing fromMemory(Loads loads, Flow flow, Slices slices, int threads) {
    List<List<Load>> ways = new ArrayList<>();
    for (boolean past : new boolean[] {false, true}) {
      List<Load> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(loads.stream(flow, slices.at(i), slices.bytes, past));
      }
      ways.add(all);
    }
    return new Doing(ways, true, new ArrayList<>());
  }
}
