package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.report.run.Metric.Better;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Trials of foreign commands: a number read from what they print, or the time they take. */
final class Commands implements Runner {
  static final String WALL = "wall time";

  private final Child child;
  private final String a;
  private final String b;
  private final Pattern metric;
  private final Better better;
  private final Path arms;

  /**
   * @param metric finds the number in the output, or null for the time it takes
   */
  Commands(Child child, String a, String b, Pattern metric, Better better, Path record) {
    this.child = child;
    this.a = a;
    this.b = b;
    this.metric = metric;
    this.better = better;
    this.arms = record.resolve("arms");
  }

  @Override
  public Measured run(Arm arm, int number, double seconds) throws Stopped {
    String command = arm.isB() ? b : a;
    String side = arm.isB() ? "B" : "A";
    String directory = "arms/%s/%03d".formatted(arm.word(), number);
    Path folder = arms.resolve(arm.word()).resolve("%03d".formatted(number));
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw Problem.of(e);
    }
    long begin = System.nanoTime();
    Child.Ended ended = child.run(List.of("/bin/sh", "-c", command), folder.resolve("output"));
    double took = (System.nanoTime() - begin) / 1e9;
    if (ended.code() != 0) {
      String said = ended.err().isBlank() ? "" : ": " + Worktrees.last(ended.err());
      throw new Problem(
          "%s: '%s' ended with code %d%s".formatted(side, command, ended.code(), said));
    }
    Reading.Value value =
        metric == null
            ? new Reading.Value(WALL, "s", Better.LOWER, took)
            : new Reading.Value(metric.pattern(), "", better, read(side, command, ended));
    return new Measured(Reading.of(value), directory);
  }

  /** The last number that matches: programs tell progress before they tell results. */
  private double read(String side, String command, Child.Ended ended) {
    Matcher matcher = metric.matcher(ended.out() + "\n" + ended.err());
    String found = null;
    while (matcher.find()) found = matcher.group(1);
    if (found == null) {
      throw new Problem("%s: nothing that '%s' printed matches --metric".formatted(side, command));
    }
    try {
      double number = Double.parseDouble(found.replace(",", ""));
      if (number > 0 && number < Double.POSITIVE_INFINITY) return number;
    } catch (NumberFormatException _) {
      // Told below.
    }
    throw new Problem(
        "%s: --metric found '%s', which is no positive number".formatted(side, found));
  }
}
