package dev.ridgeline.report;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import dev.ridgeline.report.roofline.Ceilings.Traffic;
import java.time.Instant;
import java.util.List;

/** What machines can do. */
public final class Machines {
  /** Two cores of it, in round numbers. */
  public static final Ceilings ZEN_4 =
      new Ceilings(
          Instant.parse("2026-11-15T08:00:00Z"),
          2,
          List.of(
              new Compute(Arithmetic.F32, rate(120), rate(200), 0),
              new Compute(Arithmetic.INT8, rate(480), rate(960), 0),
              new Compute(Arithmetic.INT8_WORDS, 256, rate(120), rate(240), 0),
              new Compute(Arithmetic.INT8_WORDS, 512, rate(240), rate(480), 0)),
          List.of(
              new Memory(Level.L1, 32 << 10, traffic(300), traffic(600), 0),
              new Memory(Level.L2, 1 << 20, traffic(100), traffic(200), 0),
              new Memory(Level.L3, 32 << 20, traffic(50), traffic(80), 0),
              new Memory(Level.DRAM, 0, traffic(30), traffic(40), 0)));

  private Machines() {}

  private static Traffic traffic(double gigabytes) {
    return new Traffic(rate(gigabytes), rate(gigabytes / 2), rate(gigabytes / 2));
  }

  private static Rate rate(double giga) {
    return new Rate(giga * 1e9, giga * 0.9e9, giga * 1.1e9);
  }
}
