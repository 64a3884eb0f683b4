package dev.ridgeline.lab.process;

import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.profiler.file.FileException;
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
 * A command of any kind: it is measured by a number in what it prints, or by the time it takes.
 *
 * @param shown the command, as it was typed
 * @param words by which it is started
 * @param folder where it runs, or null for here
 * @param metric finds the number in the output, or stands for processor time; null for the time it
 *     takes
 * @param better which way that number is better
 * @param compares whether what it prints must be the same each time
 */
public record CommandTrial(
    Child child,
    String shown,
    List<String> words,
    Path folder,
    Pattern metric,
    Better better,
    boolean compares)
    implements Work {
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
      throw new ProcessException(
          "--metric %s: one pair of parentheses around the number".formatted(given));
    } catch (PatternSyntaxException e) {
      throw new ProcessException("--metric %s: %s".formatted(given, e.getDescription()), e);
    }
  }

  /** A command as a shell reads it. */
  public static List<String> shell(String line) {
    return List.of("/bin/sh", "-c", line);
  }

  @Override
  public Measured run(Path record, String directory, double seconds, double mostSeconds)
      throws Stopped {
    Path output = record.resolve(directory).resolve(OUTPUT);
    try {
      Files.createDirectories(output.getParent());
      double used = metric == CPU ? ChildrenTime.seconds() : 0;
      Child.Ended ended = child.run(words, folder, mostSeconds, output);
      if (ended.code() != 0) {
        String said = ended.err().isBlank() ? "" : ": " + Worktrees.last(ended.err());
        throw new ProcessException(
            "'%s' ended with code %d%s".formatted(shown, ended.code(), said));
      }
      Reading.Value value =
          metric == null
              ? new Reading.Value(WALL, "s", Better.LOWER, ended.seconds())
              : metric == CPU
                  ? new Reading.Value("CPU time", "s", Better.LOWER, ChildrenTime.seconds() - used)
                  : new Reading.Value(metric.pattern(), "", better, read(ended));
      Reading reading = Reading.of(value);
      return new Measured(compares ? reading.withOutput(digest(output)) : reading, directory);
    } catch (IOException e) {
      throw FileException.of(output, e);
    }
  }

  /** A digest of what a trial printed, but for the numbers that are measured. */
  private String digest(Path file) throws IOException, Stopped {
    MessageDigest sha;
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
    if (metric == null || metric == CPU) {
      try (InputStream in = Files.newInputStream(file)) {
        in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), sha));
      }
    } else {
      String rest = numbers().without(Child.text(file));
      sha.update(rest.getBytes(StandardCharsets.UTF_8));
    }
    return "sha256:" + HexFormat.of().formatHex(sha.digest(), 0, 16);
  }

  private LastMatch numbers() {
    return new LastMatch(metric, child::stopped, LOOKING);
  }

  private double read(Child.Ended ended) throws Stopped {
    String found = numbers().in(ended.err());
    if (found == null) found = numbers().in(ended.out());
    if (found == null) {
      throw new ProcessException(
          "nothing that '%s' printed matches the metric '%s'".formatted(shown, metric.pattern()));
    }
    try {
      double number = Double.parseDouble(found.replace(",", ""));
      if (number > 0 && number < Double.POSITIVE_INFINITY) return number;
    } catch (NumberFormatException _) {
      // Told below.
    }
    throw new ProcessException(
        "the metric '%s' found '%s', which is no positive number"
            .formatted(metric.pattern(), Text.fit(found, 60)));
  }
}
