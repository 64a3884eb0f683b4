package dev.ridgeline.report.roofline;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a machine was measured to be able to do: the roof over every scope.
 *
 * @param measured when
 * @param cores how many cores {@code all} means
 * @param compute one for each kind of arithmetic that the machine has
 * @param memory one for each level, nearest first
 * @param disturbed whether other programs kept cores busy meanwhile, so that some may be higher
 */
public record Ceilings(
    Instant measured, int cores, List<Compute> compute, List<Memory> memory, boolean disturbed) {
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

  public Optional<Compute> compute(Arithmetic kind) {
    return compute.stream().filter(each -> each.kind() == kind).findFirst();
  }

  public Optional<Memory> memory(Level level) {
    return memory.stream().filter(each -> each.level() == level).findFirst();
  }

  /** A kind of arithmetic; a multiplication and an addition count as two. */
  public enum Arithmetic {
    F32("f32", "GFLOP/s"),
    INT8("int8", "GOP/s"),
    BF16("bf16", "GFLOP/s");

    private final String word;
    private final String unit;

    Arithmetic(String word, String unit) {
      this.word = word;
      this.unit = unit;
    }

    /** As reports call it. */
    public String word() {
      return word;
    }

    /** Of a thousand million a second. */
    public String unit() {
      return unit;
    }
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
   * @param one of one core, the others idle
   * @param all of all cores together
   * @param sheet of all cores by the data sheet, or 0 when not given
   */
  public record Compute(Arithmetic kind, Rate one, Rate all, double sheet) {}

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
