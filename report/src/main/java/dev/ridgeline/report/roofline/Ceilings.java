package dev.ridgeline.report.roofline;

import dev.ridgeline.profiler.Arithmetic;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a machine was measured to be able to do: the roof over every scope.
 *
 * @param measured when
 * @param cores how many cores {@code all} means
 * @param compute for each kind of arithmetic and width of registers that the machine has
 * @param memory one for each level, nearest first
 * @param disturbed whether other programs kept cores busy meanwhile, so that some may be higher
 */
public record Ceilings(
    Instant measured, int cores, List<Compute> compute, List<Memory> memory, boolean disturbed) {
  /** Of a register; more than that is a tile. */
  public static final int MOST_BITS = 512;

  /** Nothing was measured. */
  public static final Ceilings NONE = new Ceilings(Instant.EPOCH, 0, List.of(), List.of());

  public Ceilings {
    compute = List.copyOf(compute);
    memory = List.copyOf(memory);
  }

  /** Those of a machine that had nothing else to do. */
  public Ceilings(Instant measured, int cores, List<Compute> compute, List<Memory> memory) {
    this(measured, cores, compute, memory, false);
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

  /** Those of a program that uses no wider registers, as far as they were measured. */
  public Ceilings upTo(int bits) {
    List<Compute> narrow = compute.stream().filter(each -> each.bits() <= bits).toList();
    return narrow.isEmpty() ? this : new Ceilings(measured, cores, narrow, memory, disturbed);
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
  public record Traffic(Rate read, Rate write, Rate copy) {}

  /**
   * A rate a second with its spread over repetitions.
   *
   * @param typical the median
   * @param low the slowest of them
   * @param high the fastest of them
   */
  public record Rate(double typical, double low, double high) {
    public Rate {
      if (!(low > 0 && low <= typical && typical <= high && high < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a rate from %s over %s to %s".formatted(low, typical, high));
      }
    }
  }
}
