package dev.ridgeline.report.run;

import dev.ridgeline.report.Series;
import dev.ridgeline.report.roofline.Ceilings;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was run, where and with what result: everything but the profile, as kept in {@code
 * run.json}. Texts that are not known are empty.
 *
 * @param name a word for the kind of run, part of its directory's name: {@code kernels}
 * @param title what ran, in one line, for the head of a report
 * @param started when it began
 * @param command the command line, word by word
 * @param options every option that was given or read
 * @param machine the machine and the JVM
 * @param revision the source revision of the program, with {@code +changes} when it was not clean
 * @param workload configuration of what was run
 * @param plan what the options came to: the same for the same options, so that two equal plans mean
 *     that the same code ran
 * @param conditions how it went, which no option decides: warm-up, interruption
 * @param outputDigest a digest of the output, to tell runs that computed something else
 * @param metrics what was measured, most important first
 * @param series how something measured changes along an axis
 * @param units how much work the profile holds, in the workload's own unit (texts, tokens, passes):
 *     what times and bytes of runs of different length are divided by; 0 when not told
 * @param ceilings what the machine was measured to be able to do
 */
public record Run(
    String name,
    String title,
    Instant started,
    List<String> command,
    List<Option> options,
    Machine machine,
    String revision,
    Map<String, String> workload,
    Map<String, String> plan,
    Map<String, String> conditions,
    String outputDigest,
    List<Metric> metrics,
    List<Series> series,
    double units,
    Ceilings ceilings) {
  /** What {@link #conditions} calls the part of the work that never became as fast as it gets. */
  public static final String COLD = "cold";

  /** What {@link #conditions} calls the reason why it was slower than it could be. */
  public static final String SLOW_PATH = "slow path";

  /** What {@link #conditions} calls that which would make it faster. */
  public static final String WAY_OUT = "way out";

  /** What {@link #conditions} calls the gain that this should bring. */
  public static final String WAY_OUT_WINS = "way out wins";

  public Run {
    command = List.copyOf(command);
    options = List.copyOf(options);
    workload = Collections.unmodifiableMap(new LinkedHashMap<>(workload));
    plan = Collections.unmodifiableMap(new LinkedHashMap<>(plan));
    conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
    metrics = List.copyOf(metrics);
    series = List.copyOf(series);
    if (!(units >= 0) || units == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("units " + units);
    }
  }

  /** The same with what the machine can do. */
  public Run withCeilings(Ceilings other) {
    return with(options, series, other);
  }

  /** The same without what only a report of this run needs: options, series and ceilings. */
  public Run inBrief() {
    return with(List.of(), List.of(), Ceilings.NONE);
  }

  private Run with(List<Option> options, List<Series> series, Ceilings ceilings) {
    return new Run(
        name,
        title,
        started,
        command,
        options,
        machine,
        revision,
        workload,
        plan,
        conditions,
        outputDigest,
        metrics,
        series,
        units,
        ceilings);
  }

  /**
   * An option and what became of it; one that was given and never read changed nothing.
   *
   * @param name as typed: {@code --threads}
   * @param value as text
   * @param given whether the user gave it; else it is the default
   * @param read whether anything asked for its value
   */
  public record Option(String name, String value, boolean given, boolean read) {}
}
