package dev.ridgeline.lab.roofline;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import dev.ridgeline.tensor.TensorType;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The least time that ceilings allow some work on all cores: its bytes cannot come faster, nor can
 * its arithmetic be done faster, and both may go on at once.
 *
 * @param memorySeconds for the bytes
 * @param level where they come from
 * @param computeSeconds for the arithmetic
 * @param kind the arithmetic that takes most of it
 */
public record Floor(double memorySeconds, Level level, double computeSeconds, Arithmetic kind) {
  /**
   * The floor of some work.
   *
   * @param operations by kind; those that the machine has no ceiling for are done in f32
   */
  static Floor of(double bytes, Level level, Map<Arithmetic, Double> operations, Ceilings roof) {
    double seconds = 0;
    double most = -1;
    Arithmetic slowest = Arithmetic.F32;
    for (var each : operations.entrySet()) {
      double takes = seconds(each.getValue(), each.getKey(), roof);
      seconds += takes;
      if (takes <= most) continue;
      most = takes;
      slowest = each.getKey();
    }
    return new Floor(seconds(bytes, level, roof), level, seconds, slowest);
  }

  /** How long so many bytes take to be read. */
  static double seconds(double bytes, Level level, Ceilings roof) {
    return bytes / roof.memory(level).orElseThrow().all().read().typical();
  }

  /** How long so many operations take. */
  static double seconds(double operations, Arithmetic kind, Ceilings roof) {
    return operations / roof.compute(kind).orElseThrow().all().typical();
  }

  public double seconds() {
    return Math.max(memorySeconds, computeSeconds);
  }

  public boolean memoryBound() {
    return memorySeconds > computeSeconds;
  }

  /** {@code DRAM read} or {@code int8 compute}. */
  public String limit() {
    return memoryBound() ? level + " read" : kind.numbers() + " compute";
  }

  /** The nearest memory that holds so much, the caches of all cores taken together. */
  static Level home(double bytes, Ceilings roof) {
    for (Memory memory : roof.memory()) {
      double room = memory.bytes() * (memory.level() == Level.L3 ? 1.0 : roof.cores());
      if (bytes <= room) return memory.level();
    }
    return Level.DRAM;
  }

  /** The fastest arithmetic that serves products with weights of a type. */
  static Arithmetic arithmetic(TensorType type, Ceilings roof) {
    return kinds(type).stream()
        .flatMap(kind -> roof.compute(kind).stream())
        .max(Comparator.comparingDouble(each -> each.all().typical()))
        .map(Compute::kind)
        .orElse(Arithmetic.F32);
  }

  /** Kinds of arithmetic that serve a type. */
  private static Set<Arithmetic> kinds(TensorType type) {
    if (type == TensorType.BF16) {
      return EnumSet.of(Arithmetic.F32, Arithmetic.BF16, Arithmetic.AMX_BF16);
    }
    if (!type.quantized()) return EnumSet.of(Arithmetic.F32);
    Set<Arithmetic> kinds =
        EnumSet.of(Arithmetic.F32, Arithmetic.INT8, Arithmetic.INT8_WORDS, Arithmetic.AMX_INT8);
    // Whose levels are bytes, sums of 16 bits would not hold.
    if (type != TensorType.Q8_0) kinds.add(Arithmetic.INT8_NIBBLES);
    return kinds;
  }
}
