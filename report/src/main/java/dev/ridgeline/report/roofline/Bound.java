package dev.ridgeline.report.roofline;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.report.roofline.Ceilings.Level;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How far a scope is from what the machine allows for the work it declared. Times are thread times,
 * rates are a thread's.
 *
 * @param work what was declared
 * @param nanos what it took
 * @param wallNanos the same over the threads that worked at once
 * @param idealNanos the least it could have taken
 * @param idealWallNanos the same over the threads that worked at once
 * @param memory the least for its bytes if they came from that level
 * @param compute the least for its operations of that kind
 * @param level where its bytes come from; null when it declared none or no level is known
 * @param told how that is known
 */
public record Bound(
    Work work,
    double nanos,
    double wallNanos,
    double idealNanos,
    double idealWallNanos,
    Map<Level, Double> memory,
    Map<Arithmetic, Double> compute,
    Level level,
    Told told) {

  /** How the level that bytes come from is known. */
  public enum Told {
    /** From the bytes that are declared between two calls. */
    ASSUMED,
    /** So many bytes do not arrive in so short a time from the level that was assumed. */
    TIMED,
    /** Hardware counters said so. */
    COUNTED
  }

  public Bound {
    memory = copy(Level.class, memory);
    compute = copy(Arithmetic.class, compute);
  }

  /** The bound of work that threads did at once, from the least time at each ceiling. */
  static Bound of(
      Work work,
      double nanos,
      double threads,
      Map<Level, Double> memory,
      Map<Arithmetic, Double> compute,
      Level level,
      Told told) {
    double ideal = Math.max(level == null ? 0 : memory.get(level), sum(compute));
    return new Bound(
        work, nanos, nanos / threads, ideal, ideal / threads, memory, compute, level, told);
  }

  /** Both one after the other. */
  Bound plus(Bound other) {
    Map<Level, Double> bytes = new EnumMap<>(Level.class);
    bytes.putAll(memory);
    other.memory.forEach((key, least) -> bytes.merge(key, least, Double::sum));
    Map<Arithmetic, Double> operations = new EnumMap<>(Arithmetic.class);
    operations.putAll(compute);
    other.compute.forEach((key, least) -> operations.merge(key, least, Double::sum));
    boolean mine = other.level == null || level != null && memoryNanos() >= other.memoryNanos();
    return new Bound(
        new Work(
            work.bytes() + other.work.bytes(),
            work.flops() + other.work.flops(),
            work.ops() + other.work.ops(),
            work.form() == Arithmetic.F32 ? other.work.form() : work.form()),
        nanos + other.nanos,
        wallNanos + other.wallNanos,
        idealNanos + other.idealNanos,
        idealWallNanos + other.idealWallNanos,
        bytes,
        operations,
        mine ? level : other.level,
        mine ? told : other.told);
  }

  /** The same work in another time, of which all that it took counts. */
  Bound within(double otherNanos) {
    return new Bound(
        work, otherNanos, wallNanos, idealNanos, idealWallNanos, memory, compute, level, told);
  }

  /** Part of what is allowed that was reached; above 1 the work or a ceiling is wrong. */
  public double reached() {
    return idealNanos / nanos;
  }

  /** Thread time above the least. */
  public double toWinNanos() {
    return Math.max(0, nanos - idealNanos);
  }

  /** Whether operations take longer than bytes. */
  public boolean isComputeBound() {
    return sum(compute) >= memoryNanos();
  }

  /** The kind of operations that takes longest, null when none were declared. */
  public Arithmetic kind() {
    return compute.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  /** The ceiling that binds: {@code f32 compute}, {@code L2 cache}, {@code DRAM}. */
  public String limitedBy() {
    if (isComputeBound()) return kind().numbers() + " compute";
    return level == Level.DRAM ? "DRAM" : level + " cache";
  }

  /** A thread's GB/s. */
  public double gigabytesPerSecond() {
    return work.bytes() / nanos;
  }

  /** A thread's operations of both kinds, in thousand millions a second. */
  public double operationsPerSecond() {
    return operations() / nanos;
  }

  /** Operations for each byte; infinite where none moves. */
  public double intensity() {
    return operations() / work.bytes();
  }

  /** A thread's rate in the unit of what binds: {@code 76.1 GFLOP/s}, {@code 9.2 GB/s}. */
  public double rate() {
    return isComputeBound() ? operationsPerSecond() : gigabytesPerSecond();
  }

  /** {@link #rate} at the ceiling that binds. */
  public double reachableRate() {
    return rate() / reached();
  }

  /** The unit of {@link #rate}. */
  public String unit() {
    return isComputeBound() ? kind().unit() : "GB/s";
  }

  private double operations() {
    return (double) work.flops() + work.ops();
  }

  private double memoryNanos() {
    return level == null ? 0 : memory.get(level);
  }

  private static double sum(Map<?, Double> nanos) {
    return nanos.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private static <K extends Enum<K>> Map<K, Double> copy(Class<K> keys, Map<K, Double> map) {
    Map<K, Double> copy = new EnumMap<>(keys);
    copy.putAll(map);
    return Collections.unmodifiableMap(copy);
  }
}
