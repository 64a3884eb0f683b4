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
    return new Ceilings(
        MEASURED,
        2,
        List.of(compute(Arithmetic.F32, 1e11), compute(Arithmetic.INT8, 4e11)),
        List.of(
            memory(Level.L2, 1 << 20, 1e12),
            memory(Level.L3, 32 << 20, 1e11),
            memory(Level.DRAM, 0, 1e10)));
  }

  private static Compute compute(Arithmetic kind, double all) {
    return new Compute(kind, rate(all / 2), rate(all), 0);
  }

  private static Memory memory(Level level, long bytes, double all) {
    return new Memory(level, bytes, traffic(all / 2), traffic(all), 0);
  }

  private static Traffic traffic(double rate) {
    return new Traffic(rate(rate), rate(rate / 2), rate(rate / 2));
  }

  private static Rate rate(double typical) {
    return new Rate(typical, typical * 0.9, typical * 1.1);
  }
}
