package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.profile.WorkloadKind;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.verdict.NoEffect;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Trials of a workload: each leaves a run directory in the record. */
final class Workloads implements Runner {
  private final Child child;
  private final WorkloadKind kind;
  private final String metric;
  private final List<String> words;
  private final Side a;
  private final Side b;
  private final Program programA;
  private final Program programB;
  private final long builtA;
  private final long builtB;
  private final Path arms;

  /** The first run of each side. */
  private final Map<Arm, Run> first = new EnumMap<>(Arm.class);

  /**
   * @param metric that decides, or null for any
   */
  Workloads(
      Child child,
      WorkloadKind kind,
      String metric,
      List<String> words,
      Side a,
      Side b,
      Program programA,
      Program programB,
      Path record) {
    this.child = child;
    this.kind = kind;
    this.metric = metric;
    this.words = words;
    this.a = a;
    this.b = b;
    this.programA = programA;
    this.programB = programB;
    this.builtA = programA.built();
    this.builtB = programB.built();
    this.arms = record.resolve("arms");
  }

  @Override
  public Measured run(Arm arm, int number, double seconds) throws Stopped {
    Path folder = arms.resolve(arm.word());
    Path kept = folder.resolve("%03d".formatted(number));
    Path own = folder.resolve("trial");
    try {
      Files.createDirectories(own);
      Side side = arm.isB() ? b : a;
      Program program = arm.isB() ? programB : programA;
      if (program.built() != (arm.isB() ? builtB : builtA)) {
        throw new Problem("ridgeline was built anew while it was compared: begin again");
      }
      Path output = own.resolve("output");
      Child.Ended ended = child.run(program.command(command(side, own, seconds)), output);
      if (ended.code() != 0) {
        throw new Problem("%s: %s".formatted(arm.isB() ? "B" : "A", Refusal.of(ended)));
      }
      RunDirectory run = new Runs(own).list().getFirst();
      Files.move(run.path(), kept, StandardCopyOption.ATOMIC_MOVE);
      for (Path file : List.of(output, own.resolve("output.err"), own)) Files.delete(file);
    } catch (IOException e) {
      throw Problem.of(e);
    }
    RunDirectory run = new RunDirectory(kept);
    first.computeIfAbsent(arm, _ -> run.run());
    Reading reading = Reading.of(run);
    requireMetric(reading);
    return new Measured(reading, "arms/%s/%s".formatted(arm.word(), kept.getFileName()));
  }

  /** Found out by the first trial, before the others are waited for. */
  private void requireMetric(Reading reading) {
    List<String> names = reading.metrics().stream().map(Reading.Value::name).toList();
    if (metric == null || names.contains(metric)) return;
    throw new Problem("--metric %s: there is %s".formatted(metric, String.join(", ", names)));
  }

  private List<String> command(Side side, Path folder, double seconds) {
    List<String> command = new ArrayList<>(List.of("profile", kind.name()));
    command.addAll(words);
    command.addAll(side.options());
    command.addAll(List.of("--runs", folder.toString(), "--formats", "none", "--quiet"));
    if (!saysLength(words) && !saysLength(a.options()) && !saysLength(b.options())) {
      command.addAll(List.of(kind.length(), String.format(Locale.ROOT, "%.3f", seconds)));
    }
    return command;
  }

  /** Who says how long to measure is not contradicted. */
  private boolean saysLength(List<String> options) {
    return options.stream()
        .map(option -> option.replaceFirst("=.*", ""))
        .anyMatch(option -> option.equals(kind.length()) || kind.lengths().contains(option));
  }

  /** Whether work is counted, so that times of scopes are told for a unit of it. */
  boolean perUnit() {
    Run run = first.get(Arm.A);
    return run != null && run.units() > 0;
  }

  /** Why the options had no effect, or empty. */
  String noEffect() {
    Run one = first.get(Arm.A);
    Run other = first.get(Arm.B);
    if (one == null || other == null || !a.sameProgram() || !b.sameProgram()) return "";
    return NoEffect.ofOneProgram(one, other).orElse("");
  }

  /** What ran, as the run itself calls it. */
  String title() {
    Run run = first.get(Arm.A);
    return run == null ? kind.name() : run.title();
  }
}
