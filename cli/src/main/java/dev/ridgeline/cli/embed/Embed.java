package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.texts.Texts;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.RepeatedWorkload.Amount;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.cli.workload.WorkloadKind;
import dev.ridgeline.model.store.Use;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The door of this package: the workload that the options ask for. */
public final class Embed {
  private static final Setting<Integer> TEXTS =
      Setting.number("--texts N", 256, "Number of bundled texts.");

  private static final Setting<String> CALLS =
      Setting.text(
          "--calls SIZES", "Texts per call, several sizes in turn: 1,8,32 (default: all at once).");
  private static final Setting<Boolean> MEMORY =
      Setting.flag(
          "--memory",
          "embed: Collect garbage after each pass, and tell what is held and which scope"
              + " allocates.");

  /** The shape of the default model, for machines that cannot fetch it. */
  private static final String STAND_IN = "synth:minilm-l6";

  public static final WorkloadKind KIND =
      new WorkloadKind(
          "embed",
          "[TEXT...]",
          "Embeds the bundled texts, or yours, repeatedly.",
          settings(),
          RunOptions.FOR.name(),
          List.of(RunOptions.ITERATIONS.name()),
          Embed::from);

  /** Who gives one of them says how much to do; else the time decides. */
  private static final List<Setting<?>> LENGTHS =
      List.of(TEXTS, CALLS, MEMORY, RunOptions.ITERATIONS, RunOptions.FOR, RunOptions.WARM_UP);

  private Embed() {}

  /** Texts that are bundled. */
  public static final int MOST_TEXTS = Corpus.SIZE;

  /** What a figure of calls of one size is called: {@code calls of 8: p50}. */
  public static String figure(int size, String name) {
    return "calls of %d: %s".formatted(size, name);
  }

  private static List<Setting<?>> settings() {
    return Settings.with(
        EmbedSettings.ALL,
        TEXTS,
        CALLS,
        RunOptions.ITERATIONS,
        RunOptions.FOR,
        RunOptions.WARM_UP,
        MEMORY);
  }

  private static Workload from(Settings settings, List<String> words, Progress progress) {
    var options = EmbedSettings.options(settings);
    double seconds = RunOptions.seconds(settings);
    int iterations = seconds > 0 ? 0 : settings.positive(RunOptions.ITERATIONS);
    boolean own = !words.isEmpty() || settings.given(EmbedSettings.INPUT);
    List<String> texts = own ? own(settings, words, progress) : bundled(settings);
    String source = own ? "given" : "bundled";
    var model = ModelOptions.chosen(settings, EmbedSettings.MODEL, STAND_IN, Use.EMBED, progress);
    return new EmbedWorkload(
        new EmbedWorkload.Plan(
            model,
            options,
            texts,
            source,
            calls(settings, texts.size()),
            settings.read(MEMORY),
            new Amount(
                texts.size(),
                iterations,
                seconds,
                RunOptions.warmUp(settings),
                own ? Pace.unbounded(System::nanoTime) : Pace.unlessGiven(settings, LENGTHS))));
  }

  /** Half a call would be another one. */
  private static List<Integer> calls(Settings settings, int texts) {
    String given = settings.read(CALLS);
    if (given == null) return List.of();
    TreeSet<Integer> sizes = Amounts.counts(CALLS.name(), given);
    for (int size : sizes) {
      if (texts % size != 0) {
        throw new Problem(
            "%s %s: %s cannot be handed over %d at a time"
                .formatted(CALLS.name(), given, Quantity.many(texts, "text"), size));
      }
    }
    return List.copyOf(sizes);
  }

  private static List<String> own(Settings settings, List<String> words, Progress progress) {
    List<String> texts = new ArrayList<>();
    try (Texts source = EmbedSettings.texts(settings, words, false)) {
      for (String text = source.next(); text != null; text = source.next()) texts.add(text);
      if (source.skipped() > 0) {
        progress.step("skipped " + Quantity.many(source.skipped(), "empty text"));
      }
    }
    if (texts.isEmpty()) throw new Problem("no text: nothing to embed");
    return List.copyOf(texts);
  }

  private static List<String> bundled(Settings settings) {
    int count = settings.positive(TEXTS);
    if (count > Corpus.SIZE) {
      throw new Problem("--texts " + count + ": there are " + Quantity.count(Corpus.SIZE));
    }
    return Corpus.texts(count);
  }
}
