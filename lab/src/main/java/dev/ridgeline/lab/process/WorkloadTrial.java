package dev.ridgeline.lab.process;

import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A workload of this program, which leaves a run directory.
 *
 * @param program which starts it
 * @param words its name, then its options
 * @param length the option that says how long to measure; empty where the words say it
 * @param metric that decides, or null for any
 * @param built when the program was
 */
public record WorkloadTrial(
    Child child, Program program, List<String> words, String length, String metric, long built)
    implements Work {
  public WorkloadTrial(
      Child child, Program program, List<String> words, String length, String metric) {
    this(child, program, words, length, metric, program.built());
  }

  @Override
  public Measured run(Path record, String directory, double seconds, double mostSeconds)
      throws Stopped {
    if (program.built() != built) {
      throw new FileException("ridgeline", "was rebuilt meanwhile: start again");
    }
    Path kept = record.resolve(directory);
    Path own = kept.resolveSibling("trial");
    try {
      Files.createDirectories(own);
      Path output = own.resolve("output");
      Child.Ended ended = child.run(command(own, seconds), null, mostSeconds, output);
      if (ended.code() != 0) {
        // What it said stays in the record, and out of the way of the next.
        Files.move(own, kept);
        throw new ProcessException(Refusal.of(ended));
      }
      Files.move(new Runs(own).list().getFirst().path(), kept);
      for (Path file : List.of(output, own.resolve("output.err"), own)) Files.delete(file);
    } catch (IOException e) {
      throw FileException.of(kept, e);
    }
    RunDirectory run = new RunDirectory(kept);
    return new Measured(reading(run), plan(run.run()), directory);
  }

  /** What it measured; that a metric is not there is found out before other trials are run. */
  private Reading reading(RunDirectory run) {
    Reading reading = Reading.of(run);
    List<String> names = reading.metrics().stream().map(Reading.Value::name).toList();
    if (metric == null || names.contains(metric)) return reading;
    throw new FileException("--metric " + metric, "there is " + String.join(", ", names));
  }

  /** Two models may be run by the same code. */
  private static Map<String, String> plan(Run run) {
    Map<String, String> plan = new LinkedHashMap<>(run.plan());
    String file = run.workload().get("file");
    if (file != null) plan.put("file", file);
    return plan;
  }

  private List<String> command(Path folder, double seconds) {
    List<String> command = new ArrayList<>(List.of("profile"));
    command.addAll(words);
    command.addAll(List.of("--runs", folder.toString(), "--formats", "none", "--quiet"));
    if (!length.isEmpty()) {
      command.addAll(List.of(length, String.format(Locale.ROOT, "%.3f", seconds)));
    }
    return program.command(command);
  }
}
