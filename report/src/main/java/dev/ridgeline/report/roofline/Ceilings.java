package dev.ridgeline.report.roofline;

import dev.ridgeline.profiler.Arithmetic;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a machine was measured to be able to do: the roof over every scope.
 *
 * @param measured when
 * @param cores how many cores {@code all} means
 * @param compute for each kind of arithmetic and width of registers that the machine has
 * @param memory one for each level, nearest first
 */
public record Ceilings(Instant measured, int cores, List<Compute> compute, List<Memory> memory) {
  /** Of a register; more than that is a tile. */
  public static final int MOST_BITS = 512;

  /** Nothing was measured. */
  public static final Ceilings NONE = new Ceilings(Instant.EPOCH, 0, List.of(), List.of());

  public Ceilings {
    compute = List.copyOf(compute);
    memory = List.copyOf(memory);
  }

  public boolean isKnown() {
    return !compute.isEmpty() || !memory.isEmpty();
  }

  /** The ceiling of a kind, of the widest registers that were measured. */
  public Optional<Compute> compute(Arithmetic kind) {
    return compute.stream()
        .filter(each -> each.kind() == kind)
        .max(Comparator.comparingInt(Compute::bits));
  }

  /** Those of a program that uses some of them alone, as far as these were measured. */
  public Ceilings only(Predicate<Compute> used) {
    List<Compute> some = compute.stream().filter(used).toList();
    return some.isEmpty() ? this : new Ceilings(measured, cores, some, memory);
  }

  /** Whether other programs kept cores busy while any of them was measured. */
  public boolean disturbed() {
    return rates().anyMatch(Rate::disturbed);
  }

  private Stream<Rate> rates() {
    return Stream.concat(
        compute.stream().flatMap(each -> Stream.of(each.one(), each.all())),
        memory.stream().flatMap(each -> Stream.of(each.one(), each.all()).flatMap(Traffic::rates)));
  }

  /** When a ceiling was measured. */
  public Instant measured(Rate rate) {
    return rate.kept() == null ? measured : rate.kept();
  }

  /**
   * The higher of each ceiling and the same one measured before: whatever else runs on a machine
   * makes it slower, never faster.
   *
   * @param since what was measured before that does not count any more
   */
  public Ceilings orHigher(Ceilings before, Instant since) {
    return new Ceilings(
        measured,
        cores,
        compute.stream().map(each -> higher(each, before, since)).toList(),
        memory.stream().map(each -> higher(each, before, since)).toList());
  }

  private static Compute higher(Compute now, Ceilings before, Instant since) {
    for (Compute old : before.compute) {
      if (old.kind() != now.kind() || old.bits() != now.bits()) continue;
      Rate one = now.one().orHigher(old.one(), before, since);
      Rate all = now.all().orHigher(old.all(), before, since);
      return new Compute(now.kind(), now.bits(), one, all, now.sheet());
    }
    return now;
  }

  private static Memory higher(Memory now, Ceilings before, Instant since) {
    Memory old = before.memory(now.level()).orElse(null);
    if (old == null || old.bytes() != now.bytes()) return now;
    Traffic one = now.one().orHigher(old.one(), before, since);
    Traffic all = now.all().orHigher(old.all(), before, since);
    return new Memory(now.level(), now.bytes(), one, all, now.sheet());
  }

  /** The fastest for each kind of numbers, for a line that has no room for all. */
  public List<Compute> fastest() {
    Map<String, Compute> best = new LinkedHashMap<>();
    for (Compute each : compute) {
      best.merge(
          each.kind().numbers(), each, (a, b) -> b.all().typical() > a.all().typical() ? b : a);
    }
    return List.copyOf(best.values());
  }

  public Optional<Memory> memory(Level level) {
    return memory.stream().filter(each -> each.level() == level).findFirst();
  }

  /** Where bytes come from. */
  public enum Level {
    L1,
    L2,
    L3,
    DRAM
  }

  /**
   * Operations a second.
   *
   * @param bits of the registers that were used; 0 where that is not known
   * @param one of one core, the others idle
   * @param all of all cores together
   * @param sheet of all cores by the data sheet, or 0 when not given
   */
  public record Compute(Arithmetic kind, int bits, Rate one, Rate all, double sheet) {
    /** By registers of unknown width. */
    public Compute(Arithmetic kind, Rate one, Rate all, double sheet) {
      this(kind, 0, one, all, sheet);
    }

    /** {@code int8 vpmaddwd, 256 bits}. */
    public String name() {
      String form = kind.numbers() + " " + kind.instruction();
      if (bits == 0) return form;
      return bits > MOST_BITS ? form + ", tiles" : form + ", " + bits + " bits";
    }
  }

  /**
   * Bytes a second. A copy counts what is read and what is written.
   *
   * @param bytes what one core has of it (shared levels: all of it); 0 when not told
   * @param one of one core, the others idle
   * @param all of all cores together
   * @param sheet of all cores by the data sheet, or 0 when not given
   */
  public record Memory(Level level, long bytes, Traffic one, Traffic all, double sheet) {}

  /** Bytes a second by what is done with them. */
  public record Traffic(Rate read, Rate write, Rate copy) {
    private Stream<Rate> rates() {
      return Stream.of(read, write, copy);
    }

    private Traffic orHigher(Traffic old, Ceilings before, Instant since) {
      return new Traffic(
          read.orHigher(old.read, before, since),
          write.orHigher(old.write, before, since),
          copy.orHigher(old.copy, before, since));
    }
  }

  /**
   * A rate a second with its spread over repetitions.
   *
   * @param typical the median
   * @param low the slowest of them
   * @param high the fastest of them
   * @param kept when it was measured, where that was before the ceilings around it; else null
   * @param disturbed whether other programs kept cores busy, so that it may be higher
   */
  public record Rate(double typical, double low, double high, Instant kept, boolean disturbed) {
    /** On a quiet machine, together with the others. */
    public Rate(double typical, double low, double high) {
      this(typical, low, high, null, false);
    }

    public Rate {
      if (!(low > 0 && low <= typical && typical <= high && high < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a rate from %s over %s to %s".formatted(low, typical, high));
      }
    }

    /** One that was quiet once is not in doubt for what is lower. */
    private Rate orHigher(Rate old, Ceilings before, Instant since) {
      Instant when = before.measured(old);
      if (when.isBefore(since)) return this;
      boolean doubt = disturbed && old.disturbed;
      return old.typical > typical
          ? new Rate(old.typical, old.low, old.high, when, doubt)
          : new Rate(typical, low, high, kept, doubt);
    }
  }
}
