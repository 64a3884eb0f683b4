package dev.ridgeline.cli.report;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.report.Format;
import dev.ridgeline.report.format.Kept;
import dev.ridgeline.report.run.Runs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The options that all commands with runs share. */
public final class RunOptions {
  public static final Setting<Path> RUNS =
      Setting.path("--runs DIR", "runs", "Folder of runs.").orEnvironment("RIDGELINE_RUNS");

  public static final Setting<Integer> TRACE_LIMIT =
      Setting.number(
          "--trace-limit MB", 64, "Largest file of raw events; the oldest are left out.");

  public static final Setting<Integer> ITERATIONS =
      Setting.number("--iterations N", 5, "Measured passes over the texts or prompts.");

  public static final Setting<Double> FOR =
      Setting.number(
          "--for SECONDS",
          Double.class,
          "Measure for about this long, in whole passes, instead of --iterations; for short"
              + " trials.");

  public static final Setting<Double> WARM_UP =
      Setting.number(
          "--warm-up SECONDS",
          15.0,
          "Warm up for at most this long (with --for, at most twice that time); less once rounds"
              + " are steady.");

  public static final Setting<Boolean> FULL =
      Setting.flag("--full", "Print everything, not only the first screen.");

  /** Seconds of warming up at most, where the measured phase is to be short. */
  private static final double SHORT_WARM_UP = 5;

  /** … and as a multiple of what is measured. */
  private static final double OF_MEASURED = 2;

  private RunOptions() {}

  /** How long to measure, or 0 when passes are counted instead. */
  public static double seconds(Settings settings) {
    Double seconds = settings.read(FOR);
    if (seconds == null) return 0;
    if (seconds > 0 && seconds <= 86_400) return seconds;
    throw new Problem("--for %s: more than 0 seconds, at most a day".formatted(seconds));
  }

  /** Seconds of warming up at most: where --for asks for a short run, twice that. */
  public static double warmUp(Settings settings) {
    return warmUp(settings, OF_MEASURED * seconds(settings));
  }

  /** The same for what is to be warm however short the measured phase is. */
  public static double longWarmUp(Settings settings) {
    return warmUp(settings, SHORT_WARM_UP);
  }

  private static double warmUp(Settings settings, double brief) {
    double given = settings.read(WARM_UP);
    if (seconds(settings) > 0 && !settings.given(WARM_UP)) return Math.min(brief, SHORT_WARM_UP);
    if (given >= 0 && given <= 86_400) return given;
    throw new Problem("--warm-up %s: 0 seconds to a day".formatted(given));
  }

  /** Whether all is to be printed: also where somebody says what of it. */
  public static boolean full(Settings settings, Setting<?>... of) {
    return settings.read(FULL) || Arrays.stream(of).anyMatch(settings::given);
  }

  /** The folder of runs. */
  public static Runs runs(Settings settings) {
    return new Runs(settings.read(RUNS));
  }

  /** The same to be read: a folder that was typed and is not there is a mistake. */
  public static Runs runsThere(Settings settings) {
    Runs runs = runs(settings);
    // Where nobody chose a folder, or none yet, that there are no runs is an answer.
    if (settings.typed(RUNS) && !Files.isDirectory(runs.folder())) {
      throw new Problem("--runs " + runs.folder() + ": no such folder");
    }
    return runs;
  }

  /**
   * Formats by name, separated by commas.
   *
   * @param all what {@code all} stands for
   */
  public static List<Format> formats(Settings settings, Setting<String> setting, List<Format> all) {
    List<Format> formats = new ArrayList<>();
    for (String name : settings.read(setting).split(",")) {
      if (name.strip().equals("all")) formats.addAll(all);
      else formats.add(format(name.strip(), setting));
    }
    if (formats.isEmpty()) {
      throw new Problem(setting.name() + " " + settings.read(setting) + ": names no format");
    }
    return formats.stream().distinct().toList();
  }

  /** Each format that is a file of one run. */
  public static List<Format> files() {
    return Arrays.stream(Format.values())
        .filter(format -> !format.fileName().isEmpty() && !format.compares())
        .toList();
  }

  /** The largest file of raw events, in bytes; read only if there will be one, checked always. */
  public static long traceLimit(Settings settings, List<Format> formats) {
    Settings.requireWithin(TRACE_LIMIT, settings.value(TRACE_LIMIT), Integer.MAX_VALUE);
    return formats.stream().anyMatch(Format::holdsEvents)
        ? 1_000_000L * settings.read(TRACE_LIMIT)
        : Kept.LIMIT_BYTES;
  }

  private static Format format(String name, Setting<String> setting) {
    try {
      return Format.of(name);
    } catch (IllegalArgumentException e) {
      throw new Problem(setting.name() + ": " + e.getMessage() + ", all", e);
    }
  }
}
