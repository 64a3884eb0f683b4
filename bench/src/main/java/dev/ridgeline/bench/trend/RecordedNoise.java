package dev.ridgeline.bench.trend;

import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.ExperimentJson;
import dev.ridgeline.report.run.Metric.Better;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Identical runs that were really made, one after the other: their noise, and what it drifts.
 *
 * @param about machine, command and day, a line each
 * @param logs the logarithm of what each run measured
 */
public record RecordedNoise(String about, double[] logs) {
  private static final Pattern BLANK = Pattern.compile("\\s+");

  /**
   * Reads a recording.
   *
   * @param name of a file beside this class: its lines with {@code #} tell about it, the others
   *     hold a run each, its samples in order
   */
  static RecordedNoise read(String name) {
    return read(name, RecordedNoise::best);
  }

  /** The same with the median of each run, as a trial of {@code ab} takes it. */
  public static RecordedNoise medians(String name) {
    return read(name, RecordedNoise::median);
  }

  /** Trials of side A of a record of {@code ab}, in their order. */
  public static RecordedNoise ofExperiment(Path file) {
    Experiment experiment = ExperimentJson.read(file);
    String metric = experiment.deciding().metric();
    double sign = experiment.deciding().better() == Better.LOWER ? -1 : 1;
    double[] logs =
        experiment.trials().stream()
            .filter(trial -> trial.counts() && !trial.arm().isB())
            .mapToDouble(trial -> sign * Math.log(trial.reading().value(metric)))
            .toArray();
    return new RecordedNoise(String.join(" ", experiment.setting().command()) + "\n", logs);
  }

  private static RecordedNoise read(String name, ToDoubleFunction<String> reduce) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                RecordedNoise.class.getResourceAsStream(name + ".txt"), StandardCharsets.UTF_8))) {
      StringBuilder about = new StringBuilder();
      var logs = Stream.<Double>builder();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("#")) about.append(line.substring(1).strip()).append('\n');
        else logs.add(Math.log(reduce.applyAsDouble(line)));
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

  private static double median(String line) {
    return Median.of(BLANK.splitAsStream(line).mapToDouble(Double::parseDouble).toArray());
  }

  /** By how much two thirds of the runs depart from the middle: 0.02 is 2 %. */
  public double scatter() {
    return Median.deviation(logs);
  }

  /**
   * Another series of the same noise: stretches of it, of a mean length, that chance chose, so that
   * neighbours stay as alike as they were (Politis &amp; Romano, <i>The stationary bootstrap</i>,
   * 1994).
   */
  public double[] again(int runs, double stretch, SplittableRandom random) {
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
