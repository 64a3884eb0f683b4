package dev.ridgeline.bench.trend;

import dev.ridgeline.lab.stats.Median;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Identical runs that were really made, one after the other: their noise, and what it drifts.
 *
 * @param about machine, command and day, a line each
 * @param logs the logarithm of each run's best sample
 */
record RecordedNoise(String about, double[] logs) {
  private static final Pattern BLANK = Pattern.compile("\\s+");

  /**
   * Reads a recording.
   *
   * @param name of a file beside this class: its lines with {@code #} tell about it, the others
   *     hold a run each, its samples in order
   */
  static RecordedNoise read(String name) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                RecordedNoise.class.getResourceAsStream(name + ".txt"), StandardCharsets.UTF_8))) {
      StringBuilder about = new StringBuilder();
      var logs = Stream.<Double>builder();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("#")) about.append(line.substring(1).strip()).append('\n');
        else logs.add(Math.log(best(line)));
      }
      return new RecordedNoise(
          about.toString(), logs.build().mapToDouble(Double::doubleValue).toArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As a trend takes it: more is better in all recordings. */
  private static double best(String line) {
    return BLANK.splitAsStream(line).mapToDouble(Double::parseDouble).max().orElseThrow();
  }

  /**
   * Another series of the same noise: stretches of it, of a mean length, that chance chose, so that
   * neighbours stay as alike as they were (Politis &amp; Romano, <i>The stationary bootstrap</i>,
   * 1994).
   */
  double[] again(int runs, double stretch, SplittableRandom random) {
    double[] series = new double[runs];
    int at = 0;
    for (int i = 0; i < runs; i++) {
      boolean anew = i == 0 || random.nextDouble() < 1 / stretch;
      at = anew ? random.nextInt(logs.length) : (at + 1) % logs.length;
      series[i] = logs[at];
    }
    return series;
  }

  /** Its first runs. */
  RecordedNoise first(int runs) {
    return new RecordedNoise(about, Arrays.copyOf(logs, runs));
  }

  /** The same noise where nothing else ran: without runs that departed by more than a fifth. */
  RecordedNoise undisturbed() {
    double middle = Median.of(logs);
    return new RecordedNoise(
        about, Arrays.stream(logs).filter(log -> Math.abs(log - middle) < 0.2).toArray());
  }
}
