package dev.ridgeline.lab;

import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import dev.ridgeline.report.run.Runs;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs as a workload would leave them. */
public final class SampleRun {
  private static final Machine MACHINE =
      new Machine(
          "AMD EPYC",
          "Zen 4",
          2,
          24L << 30,
          Machine.Limits.NONE,
          "Linux",
          new Machine.Jvm("OpenJDK", "25.0.3+9", "C2", "Serial", 6L << 30, List.of()));

  private SampleRun() {}

  /** A run with texts a second. */
  public static Run of(String name, double... rates) {
    return new Run(
        name,
        name + " · 256 texts",
        Instant.parse("2026-11-15T10:00:00Z"),
        List.of("ridgeline", "profile", name),
        List.of(new Run.Option("--workers", "2", false, true)),
        MACHINE,
        "0123456789ab",
        Map.of("model", "tiny", "texts", "256"),
        Map.of("strategy", "packed", "workers", "2"),
        Map.of("warm-up", "8 passes"),
        "sha256:abc",
        List.of(Metric.of("embedded", "texts/s", Metric.Better.HIGHER, rates)),
        List.of(),
        256,
        Ceilings.NONE);
  }

  /** The same of another revision and plan. */
  public static Run changed(Run run, String revision, Map<String, String> plan) {
    return copy(run, run.started(), run.options(), revision, plan, run.outputDigest());
  }

  /** The same with another output. */
  public static Run output(Run run, String digest) {
    return copy(run, run.started(), run.options(), run.revision(), run.plan(), digest);
  }

  /** The same with an option, too. */
  public static Run with(Run run, Run.Option option) {
    List<Run.Option> options =
        Stream.concat(
                run.options().stream().filter(each -> !each.name().equals(option.name())),
                Stream.of(option))
            .toList();
    return copy(run, run.started(), options, run.revision(), run.plan(), run.outputDigest());
  }

  /** The same, begun so many minutes later. */
  public static Run at(Run run, int minutes) {
    return copy(
        run,
        run.started().plusSeconds(60L * minutes),
        run.options(),
        run.revision(),
        run.plan(),
        run.outputDigest());
  }

  /** The same with something else in what was run. */
  public static Run worked(Run run, String key, String value) {
    Map<String, String> workload = new LinkedHashMap<>(run.workload());
    workload.put(key, value);
    return new Run(
        run.name(),
        run.title(),
        run.started(),
        run.command(),
        run.options(),
        run.machine(),
        run.revision(),
        workload,
        run.plan(),
        run.conditions(),
        run.outputDigest(),
        run.metrics(),
        run.series(),
        run.units(),
        run.ceilings());
  }

  private static Run copy(
      Run run,
      Instant started,
      List<Run.Option> options,
      String revision,
      Map<String, String> plan,
      String digest) {
    return new Run(
        run.name(),
        run.title(),
        started,
        run.command(),
        options,
        run.machine(),
        revision,
        run.workload(),
        plan,
        run.conditions(),
        digest,
        run.metrics(),
        run.series(),
        run.units(),
        run.ceilings());
  }

  /** A run in a folder of runs. */
  public static RunDirectory keep(Runs runs, Run run) {
    try (RunDraft draft = runs.begin(run.name(), run.started())) {
      draft.write(run);
      return draft.commit();
    }
  }
}
