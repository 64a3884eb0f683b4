package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.workload.WorkloadKind;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A trial of a workload in a fresh process of this program, which leaves a run directory.
 *
 * @param metric that decides, or null for any
 * @param words options that every trial has
 */
public record WorkloadTrial(Child child, WorkloadKind kind, String metric, List<String> words) {

  /**
   * Runs one.
   *
   * @param program which starts it
   * @param options more of them
   * @param seconds about how long to measure, once warm; 0 where the options say it
   * @param folder where trials like it are kept
   */
  public RunDirectory run(
      Program program, List<String> options, double seconds, double mostSeconds, Path folder, int n)
      throws Stopped {
    Path kept = folder.resolve("%03d".formatted(n));
    Path own = folder.resolve("trial");
    try {
      Files.createDirectories(own);
      Path output = own.resolve("output");
      List<String> command = program.command(command(options, own, seconds));
      Child.Ended ended = child.run(command, null, mostSeconds, output);
      if (ended.code() != 0) {
        // What it said stays in the record, and out of the way of the next.
        Files.move(own, kept, StandardCopyOption.ATOMIC_MOVE);
        throw new Problem(Refusal.of(ended));
      }
      RunDirectory run = new Runs(own).list().getFirst();
      Files.move(run.path(), kept, StandardCopyOption.ATOMIC_MOVE);
      for (Path file : List.of(output, own.resolve("output.err"), own)) Files.delete(file);
    } catch (IOException e) {
      throw Problem.of(e);
    }
    return new RunDirectory(kept);
  }

  /** What it measured; that a metric is not there is found out before other trials are run. */
  public Reading reading(RunDirectory run) {
    Reading reading = Reading.of(run);
    List<String> names = reading.metrics().stream().map(Reading.Value::name).toList();
    if (metric == null || names.contains(metric)) return reading;
    throw new Problem("--metric %s: there is %s".formatted(metric, String.join(", ", names)));
  }

  private List<String> command(List<String> options, Path folder, double seconds) {
    List<String> command = new ArrayList<>(List.of("profile", kind.name()));
    command.addAll(words);
    command.addAll(options);
    command.addAll(List.of("--runs", folder.toString(), "--formats", "none", "--quiet"));
    if (seconds > 0) {
      command.addAll(List.of(kind.length(), String.format(Locale.ROOT, "%.3f", seconds)));
    }
    return command;
  }

  /** Whether options say how long to measure: who does is not contradicted. */
  public boolean saysLength(List<String> options) {
    return options.stream()
        .map(option -> option.replaceFirst("=.*", ""))
        .anyMatch(option -> option.equals(kind.length()) || kind.lengths().contains(option));
  }
}
