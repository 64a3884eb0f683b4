package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.Text;
import dev.ridgeline.report.run.Metric.Better;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A trial of a foreign command: a number read from what it prints, or the time it takes.
 *
 * @param metric finds the number in the output, or stands for processor time; null for the time it
 *     takes
 * @param better which way that number is better
 */
public record CommandTrial(Child child, Pattern metric, Better better) {
  private static final String WALL = "wall time";
  private static final String OUTPUT = "output";

  /** Seconds that a number is looked for: much more than any output needs. */
  private static final double LOOKING = 30;

  /** Stands for the processor time, which says more than the clock where others are busy, too. */
  private static final Pattern CPU = Pattern.compile("cpu");

  /** What {@code --metric} says: a pattern with one group around the number, or null for null. */
  public static Pattern pattern(String given) {
    if (given == null) return null;
    if (given.equals(CPU.pattern())) return CPU;
    try {
      Pattern pattern = Pattern.compile(given);
      if (pattern.matcher("").groupCount() == 1) return pattern;
      throw new Problem("--metric %s: one pair of parentheses around the number".formatted(given));
    } catch (PatternSyntaxException e) {
      throw new Problem("--metric %s: %s".formatted(given, e.getDescription()), e);
    }
  }

  /** A command as a shell reads it. */
  public static List<String> shell(String line) {
    return List.of("/bin/sh", "-c", line);
  }

  /**
   * Runs one.
   *
   * @param shown the command, as it was typed
   * @param folder where it runs, or null for here
   * @param mostSeconds it may take, 0 for any time
   * @param record where its output is kept
   */
  public Reading run(
      String shown, List<String> command, Path folder, double mostSeconds, Path record)
      throws Stopped {
    try {
      Files.createDirectories(record);
    } catch (IOException e) {
      throw Problem.of(e);
    }
    double used = metric == CPU ? ChildrenTime.seconds() : 0;
    Child.Ended ended = child.run(command, folder, mostSeconds, record.resolve(OUTPUT));
    if (ended.code() != 0) {
      String said = ended.err().isBlank() ? "" : ": " + Worktrees.last(ended.err());
      throw new Problem("'%s' ended with code %d%s".formatted(shown, ended.code(), said));
    }
    return Reading.of(
        metric == null
            ? new Reading.Value(WALL, "s", Better.LOWER, ended.seconds())
            : metric == CPU
                ? new Reading.Value("CPU time", "s", Better.LOWER, ChildrenTime.seconds() - used)
                : new Reading.Value(metric.pattern(), "", better, read(shown, ended)));
  }

  /** A digest of what a trial printed, but for the numbers that are measured. */
  String digest(Path record) throws Stopped {
    Path file = record.resolve(OUTPUT);
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      if (metric == null || metric == CPU) {
        try (InputStream in = Files.newInputStream(file)) {
          in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), sha));
        }
      } else {
        LastMatch numbers = new LastMatch(metric, child::stopped, LOOKING);
        sha.update(numbers.without(Child.text(file)).getBytes(StandardCharsets.UTF_8));
      }
      return "sha256:" + HexFormat.of().formatHex(sha.digest(), 0, 16);
    } catch (IOException e) {
      throw Problem.of(e);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  private double read(String shown, Child.Ended ended) throws Stopped {
    LastMatch last = new LastMatch(metric, child::stopped, LOOKING);
    String found = last.in(ended.err());
    if (found == null) found = last.in(ended.out());
    if (found == null) {
      throw new Problem(
          "nothing that '%s' printed matches the metric '%s'".formatted(shown, metric.pattern()));
    }
    try {
      double number = Double.parseDouble(found.replace(",", ""));
      if (number > 0 && number < Double.POSITIVE_INFINITY) return number;
    } catch (NumberFormatException _) {
      // Told below.
    }
    throw new Problem(
        "the metric '%s' found '%s', which is no positive number"
            .formatted(metric.pattern(), Text.fit(found, 60)));
  }
}
