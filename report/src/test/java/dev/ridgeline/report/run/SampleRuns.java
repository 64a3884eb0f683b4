package dev.ridgeline.report.run;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.Series;
import dev.ridgeline.report.roofline.Ceilings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Valid runs, the same for the same seed. */
public final class SampleRuns {
  private SampleRuns() {}

  /** A run with a few of everything. */
  public static Run random(long seed) {
    Random random = new Random(seed);
    List<Metric> metrics = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      Metric.Better better = Metric.Better.values()[random.nextInt(3)];
      metrics.add(
          Metric.of("matmul " + i, "GFLOP/s", better, random.doubles(1 + i, 1, 200).toArray()));
    }
    return new Run(
        "kernels",
        "kernels · matmul 128 to 1,024 · 2 workers",
        Instant.parse("2026-11-15T10:00:00Z").plusNanos(random.nextLong(1_000_000_000_000L)),
        List.of("profile", "kernels", "--threads=2", "text with \"quotes\" and プール"),
        List.of(
            new Run.Option("--threads", "2", true, true),
            new Run.Option("--tile", "" + random.nextInt(), true, random.nextBoolean()),
            new Run.Option("--top", "30", false, true)),
        new Machine(
            "AMD EPYC",
            "Zen 4",
            2,
            24L << 30,
            random.nextBoolean() ? Machine.Limits.NONE : new Machine.Limits(1.5, 8L << 30),
            "Linux 6.1 amd64",
            new Machine.Jvm(
                "OpenJDK 64-Bit Server VM",
                "25.0.3+9",
                "C2",
                "G1",
                6L << 30,
                List.of("-Xmx6g", "-Dx=y"))),
        "0123abc+changes",
        texts(random),
        texts(random),
        texts(random),
        "sha256:" + Long.toHexString(random.nextLong()),
        metrics,
        series(random),
        random.nextInt(3) * 12.5,
        random.nextBoolean() ? Ceilings.NONE : ceilings(random));
  }

  /** Ceilings of a machine with one kind of arithmetic and two levels of memory. */
  public static Ceilings ceilings(Random random) {
    List<Ceilings.Memory> memory = new ArrayList<>();
    for (Ceilings.Level level : List.of(Ceilings.Level.L1, Ceilings.Level.DRAM)) {
      long bytes = level == Ceilings.Level.L1 ? 32 << 10 : 0;
      memory.add(new Ceilings.Memory(level, bytes, traffic(random), traffic(random), 0));
    }
    return new Ceilings(
        Instant.parse("2026-11-15T10:00:00Z"),
        2,
        List.of(new Ceilings.Compute(Arithmetic.F32, rate(random), rate(random), 250.5e9)),
        memory);
  }

  private static Ceilings.Traffic traffic(Random random) {
    return new Ceilings.Traffic(rate(random), rate(random), rate(random));
  }

  private static Ceilings.Rate rate(Random random) {
    double low = 1e9 * (1 + random.nextInt(100));
    Instant kept = random.nextBoolean() ? null : Instant.parse("2026-11-10T10:00:00Z");
    return new Ceilings.Rate(low * 1.25, low, low * 1.5, kept, random.nextBoolean());
  }

  private static List<Series> series(Random random) {
    if (random.nextBoolean()) return List.of();
    List<String> labels = List.of("0–31", "32–63", "64–\"95\"");
    List<Series.Part> parts = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      List<Double> values = random.doubles(3, 0, 9).boxed().toList();
      parts.add(new Series.Part("part " + i, values));
    }
    return List.of(new Series("position", "ms", labels, parts, "a note"));
  }

  private static Map<String, String> texts(Random random) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) texts.put("key " + i, "value " + random.nextInt());
    return texts;
  }
}
