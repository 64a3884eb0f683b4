package dev.ridgeline.cli.profile;

import dev.ridgeline.cli.async.AsyncLibrary;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.workload.AsProfile;
import dev.ridgeline.profiler.AsyncProfiler;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Sampling;
import dev.ridgeline.report.Format;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a profile records, and the files drawn from it: each needs the others to be possible.
 *
 * @param sample what the formats need, unless less was asked for
 * @param event what makes a thread be sampled
 * @param async whether async-profiler samples, not the flight recorder
 */
record Recorded(
    List<Format> formats, Level level, SampleKind sample, Samples.Event event, boolean async) {
  static final Setting<String> LEVEL =
      Setting.text(
          "--level LEVEL",
          "allocation",
          "What to record: time, allocation or trace; each includes the one before.");
  static final Setting<SampleKind> SAMPLE =
      Setting.choice(
              "--sample WHAT",
              SampleKind.class,
              SampleKind.NONE,
              "Also sample stacks: cpu, alloc or all.")
          .orBare("all");
  static final Setting<SamplerKind> SAMPLER =
      Setting.choice(
          "--sampler WHO",
          SamplerKind.class,
          SamplerKind.JFR,
          "Sampler: jfr, or async (async-profiler, with native frames).");
  static final Setting<String> EVENT =
      Setting.text(
          "--event WHAT",
          "cpu",
          "Event that async samples by: "
              + Stream.of(Samples.Event.values())
                  .map(Samples.Event::id)
                  .collect(Collectors.joining(", "))
              + ".");
  static final Setting<String> FORMATS =
      Setting.text(
          "--formats LIST",
          "html,md,top",
          "Files to write in addition to profile.json, or all or none; raises the level if they"
              + " need it.");

  /** Who takes samples. */
  private enum SamplerKind {
    JFR,
    ASYNC
  }

  static Recorded of(Settings settings) {
    List<Format> formats = formats(settings);
    boolean async = settings.read(SAMPLER) == SamplerKind.ASYNC;
    SampleKind sample = sample(settings, formats);
    return new Recorded(
        formats, level(settings, formats), sample, event(settings, sample, async), async);
  }

  private static List<Format> formats(Settings settings) {
    if (settings.read(FORMATS).equals("none")) return List.of();
    List<Format> formats = RunOptions.formats(settings, FORMATS, RunOptions.files());
    if (formats.contains(Format.CONSOLE)) {
      throw new Problem("--formats: console is printed, not written to a file");
    }
    for (Format format : formats) {
      if (format.compares()) throw new Problem("--formats: " + format.refusal(null));
    }
    return formats.stream().filter(format -> format != Format.JSON).toList();
  }

  /** What is recorded: as much as the formats need, unless that was asked to be less. */
  private static Level level(Settings settings, List<Format> formats) {
    Level level = AsProfile.level(LEVEL.name(), settings.read(LEVEL));
    for (Format format : formats) {
      if (format.level().compareTo(level) <= 0) continue;
      if (settings.given(LEVEL)) {
        throw new Problem(
            "--formats: %s needs --level %s".formatted(format.id(), word(format.level())));
      }
      level = format.level();
    }
    return level;
  }

  /** What is sampled: what the formats need unless that was asked to be less. */
  private static SampleKind sample(Settings settings, List<Format> formats) {
    SampleKind sample = settings.read(SAMPLE);
    for (Format format : formats) {
      if (!format.needsSamples() || sample.cpu()) continue;
      if (settings.given(SAMPLE)) {
        throw new Problem("--formats: %s needs --sample cpu".formatted(format.id()));
      }
      sample = SampleKind.ALL;
    }
    if (sample != SampleKind.NONE || !settings.given(SAMPLER)) return sample;
    if (settings.given(SAMPLE))
      throw new Problem("--sampler: --sample=none leaves it nothing to do");
    return SampleKind.ALL;
  }

  /** What makes a thread be sampled; the flight recorder knows CPU time alone. */
  private static Samples.Event event(Settings settings, SampleKind sample, boolean async) {
    Samples.Event event;
    try {
      event = Samples.Event.of(settings.read(EVENT));
    } catch (IllegalArgumentException e) {
      throw new Problem("--event " + e.getMessage(), e);
    }
    if (event == Samples.Event.CPU) return event;
    if (!async) throw new Problem("--event %s: needs --sampler async".formatted(event.id()));
    if (!sample.cpu()) throw new Problem("--event %s: needs --sample=cpu".formatted(event.id()));
    return event;
  }

  /** How a session of this JVM samples. */
  Sampling sampling() {
    AsyncProfiler profiler = async ? AsyncLibrary.load() : null;
    return sample.sampling(profiler, event);
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
