package dev.ridgeline.lab.roofline;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import dev.ridgeline.report.roofline.Ceilings.Traffic;
import java.time.Instant;
import java.util.List;

/** Ceilings of a machine with round figures. */
final class MadeUp {
  static final Instant MEASURED = Instant.parse("2026-11-15T12:00:00Z");

  private MadeUp() {}

  /** 100 and 400 thousand million operations, 1,000 GB/s of L2, 100 of L3, 10 of DRAM. */
  static Ceilings roof() {
    return roof(MEASURED, 1, false);
  }

  /** The same of another moment, and so many times as fast. */
  static Ceilings roof(Instant measured, double speed, boolean disturbed) {
    return new Ceilings(
        measured,
        2,
        List.of(
            compute(Arithmetic.F32, 1e11 * speed, disturbed),
            compute(Arithmetic.INT8, 4e11 * speed, disturbed)),
        List.of(
            memory(Level.L2, 1 << 20, 1e12 * speed, disturbed),
            memory(Level.L3, 32 << 20, 1e11 * speed, disturbed),
            memory(Level.DRAM, 0, 1e10 * speed, disturbed)));
  }

  private static Compute compute(Arithmetic kind, double all, boolean disturbed) {
    return new Compute(kind, rate(all / 2, null, disturbed), rate(all, null, disturbed), 0);
  }

  private static Memory memory(Level level, long bytes, double all, boolean disturbed) {
    return new Memory(level, bytes, traffic(all / 2, disturbed), traffic(all, disturbed), 0);
  }

  private static Traffic traffic(double rate, boolean disturbed) {
    Rate half = rate(rate / 2, null, disturbed);
    return new Traffic(rate(rate, null, disturbed), half, half);
  }

  static Rate rate(double typical, Instant kept, boolean disturbed) {
    return new Rate(typical, typical * 0.9, typical * 1.1, kept, disturbed);
  }
}
