package dev.ridgeline.report;

import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.Report.Fact;
import dev.ridgeline.report.Report.Figure;
import dev.ridgeline.report.Report.Headline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reports as a command would put them together, around sample profiles. */
final class SampleReports {
  private SampleReports() {}

  static Report random(long seed, int nodes, int lanes, Level level) {
    return of(SampleProfiles.random(seed, nodes, lanes, level));
  }

  /** One thread, one scope {@code main}, and inside it 1,000 calls of half a microsecond each. */
  static Report named(String... inside) {
    long each = 500_000;
    List<Profile.Node> nodes = new ArrayList<>();
    nodes.add(node(-1, "main", 1, each * inside.length + 100_000, 100_000));
    for (String name : inside) nodes.add(node(0, name, 1_000, each, each));
    return of(
        new Profile(
            Level.TIME,
            Instant.parse("2026-11-15T10:00:00Z"),
            10_000_000,
            List.of(new Profile.Lane("main", false, 1, nodes, Trace.EMPTY)),
            List.of(),
            List.of(),
            new Profile.Calibration(24.5, 26.0, 31.5, 0.4),
            new SystemActivity(List.of(), List.of(), -1, -1, -1, -1, -1, -1, -1),
            List.of(),
            Profile.Slips.NONE,
            Samples.NONE,
            List.of(),
            Profile.Waits.NONE));
  }

  private static Profile.Node node(int parent, String name, long calls, long total, long self) {
    return new Profile.Node(
        parent,
        name,
        Profile.Node.SCOPE,
        new Profile.Time(calls, 0, total, self, total / calls, total / calls, Histogram.EMPTY),
        Profile.Allocation.NOT_RECORDED,
        Profile.Work.NONE,
        Profile.FanOut.NONE);
  }

  static Report of(Profile profile) {
    return new Report(
        new Headline(
            "encoder Q8_0 · 1,024 texts · 54,203 tokens · packed, 2 workers",
            "AMD EPYC (Zen 4), 2 cores · JDK 25 C2, G1 · int8 933 GOP/s, f32 231 GFLOP/s, DRAM 41"
                + " GB/s",
            List.of(
                new Figure("471 texts/s ±3 %", "median of 5", "noisy: steal 8 %"),
                new Figure("0 B/text", "allocated in steady state"),
                new Figure("2.1 ms", "p50 of a text"),
                new Figure("3.0 ms", "p99 of a text"))),
        List.of(
            new Fact("cpu", "AMD EPYC (Zen 4)"),
            new Fact("cores", "2"),
            new Fact("memory", "24 GiB"),
            new Fact("os", "Debian 12, Linux 6.1"),
            new Fact("jvm", "Temurin 25.0.3, C2, G1"),
            new Fact("heap", "6 GB")),
        List.of(
            new Fact("command", "ridgeline profile embed --texts 1024"),
            new Fact("workers", "2"),
            new Fact("kernels", "gemm q8_0: assembled avx512-vnni 12×32")),
        profile,
        profile.tree(),
        List.of(
            new Finding(
                "cpu-steal",
                Severity.UNSOUND,
                "The hypervisor took 4.1 % of CPU time: <b>times</b> are longer than they need be.",
                "Run again on a quiet machine.",
                "",
                ""),
            new Finding(
                "allocation-in-hot-scope",
                Severity.OPPORTUNITY,
                "softmax allocates 1.2 MB per call, 31 % of all bytes.",
                "Reuse its buffer from call to call.",
                "~90 ms (4 % of thread time)",
                "ridgeline ab --only softmax 'a & b' \"c\""),
            new Finding(
                "scopes-below-floor",
                Severity.NOTE,
                "3 scopes are shorter than the recorder's own 57 ns.",
                "Read their calls, not their times.",
                "",
                "")));
  }
}
