package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.texts.StandardInput;
import dev.ridgeline.cli.texts.Texts;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.Strategy;
import dev.ridgeline.tensor.tune.Tunable;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The options that everything shares that embeds. */
final class EmbedSettings {
  static final Setting<String> MODEL = ModelOptions.model("all-minilm-l6-v2");
  static final Setting<Path> INPUT =
      Setting.path(
          "--input FILE", "Texts, one per line, or JSON lines with --field; - reads stdin.");
  static final Setting<Strategy> STRATEGY =
      Setting.choice(
          "--strategy HOW",
          Strategy.class,
          Strategy.AUTO,
          "fine splits each text's work over the workers, coarse spreads texts, packed puts a"
              + " batch into one matrix; auto is fine for one text, packed for a few and coarse"
              + " from %d texts on, two per worker at least (`ridgeline tune` may find other numbers)."
                  .formatted(Tunable.AUTO_COARSE.preset(null)));
  static final Setting<Integer> BATCH =
      Setting.number("--batch N", 64, "At most this many texts are embedded together.");
  static final Setting<Boolean> TRUNCATE =
      Setting.flag("--truncate", "Cut texts that are longer than the model's context.");
  static final Setting<Integer> DIMENSIONS =
      Setting.number(
          "--dimensions N", "Keep only the first N numbers, for models trained for that.");
  static final Setting<String> PREFIX =
      Setting.text(
          "--prefix TEXT",
          "Text to put before each, such as 'query: ' (default: that of --task, or none).");
  static final Setting<String> TASK =
      Setting.text(
          "--task TASK",
          "Put before each text what the model was trained with: query, document or another of"
              + " its tasks.");

  static final List<Setting<?>> ALL =
      List.of(
          MODEL,
          INPUT,
          ModelOptions.FIELD,
          STRATEGY,
          ModelOptions.DEVICE,
          ModelOptions.WORKERS,
          ModelOptions.REPACK,
          BATCH,
          TRUNCATE,
          ModelOptions.SKIP_EMPTY,
          DIMENSIONS,
          TASK,
          PREFIX,
          ModelOptions.CACHE,
          ModelOptions.HUB);

  private EmbedSettings() {}

  static EmbedderOptions options(Settings settings) {
    Integer dimensions = settings.read(DIMENSIONS);
    if (dimensions != null) Settings.requireWithin(DIMENSIONS, dimensions, Integer.MAX_VALUE);
    return new EmbedderOptions(
        settings.read(STRATEGY),
        ModelOptions.deviceAndRepack(settings),
        settings.positive(BATCH, EmbedderOptions.MOST_BATCH),
        settings.read(TRUNCATE),
        dimensions == null ? 0 : dimensions,
        settings.read(PREFIX),
        settings.read(TASK));
  }

  /**
   * Where texts come from: arguments, a file, or standard input.
   *
   * @param withFields whether the other fields of JSON lines are wanted, too
   */
  static Texts texts(Settings settings, List<String> arguments, boolean withFields) {
    Path input = settings.read(INPUT);
    String field = settings.read(ModelOptions.FIELD);
    boolean skipEmpty = settings.read(ModelOptions.SKIP_EMPTY);
    if (!arguments.isEmpty()) {
      if (input != null) throw new Problem("texts as arguments or from --input, not both");
      if (field != null) throw new Problem("--field belongs to --input");
      return Texts.of(arguments, skipEmpty);
    }
    if (input == null && StandardInput.isTyped()) {
      throw new Problem("no text: give texts as arguments, by --input FILE, or through a pipe");
    }
    if (field == null && input != null && isJsonLines(input)) {
      throw new Problem(input + ": which field of its lines is the text? --field NAME says it");
    }
    Path file = input == null ? Path.of("-") : input;
    return Texts.from(file, field, System.in, skipEmpty, withFields && field != null);
  }

  /** By its name: a line of plain text may look like anything. */
  private static boolean isJsonLines(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".jsonl") || name.endsWith(".ndjson");
  }
}
