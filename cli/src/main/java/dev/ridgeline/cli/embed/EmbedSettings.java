package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.profile.Progress;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.Strategy;
import java.io.Console;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The options that everything shares that embeds. */
final class EmbedSettings {
  static final Setting<String> MODEL =
      Setting.text(
              "--model",
              "MODEL",
              "all-minilm-l6-v2",
              "A name of `ridgeline models`, with :TYPE if not q8_0, or a .gguf file.")
          .orShort("-m");
  static final Setting<Path> INPUT =
      Setting.path(
          "--input", "FILE", null, "Texts, one a line, or JSON lines with --field; - reads stdin.");
  static final Setting<String> FIELD =
      Setting.text("--field", "NAME", null, "Which field of each JSON line is the text.");
  static final Setting<Strategy> STRATEGY =
      Setting.choice(
          "--strategy",
          Strategy.class,
          "HOW",
          Strategy.AUTO,
          "fine splits each text's work over the workers, coarse spreads texts, packed puts a"
              + " batch into one matrix, auto is fine for one text and packed for more.");
  static final Setting<Integer> WORKERS =
      Setting.number(
          "--workers", "N", Runtime.getRuntime().availableProcessors(), "Threads that compute.");
  static final Setting<Integer> BATCH =
      Setting.number("--batch", "N", 64, "Texts that are embedded together at most.");
  static final Setting<Boolean> TRUNCATE =
      Setting.flag("--truncate", "Cut texts that are longer than the model's context.");
  static final Setting<Boolean> SKIP_EMPTY =
      Setting.flag(
          "--skip-empty",
          "Leave texts out that are empty; the others keep the index of their line.");
  static final Setting<Integer> DIMENSIONS =
      new Setting<>(
          "--dimensions",
          Integer.class,
          "N",
          null,
          null,
          "Only the first N numbers, for models that were trained for it.");
  static final Setting<String> PREFIX =
      Setting.text(
          "--prefix",
          "TEXT",
          null,
          "Put before each text, 'query: ' for instance (default: that of --task, or none).");
  static final Setting<String> TASK =
      Setting.text(
          "--task",
          "TASK",
          null,
          "Put before each text what the model was trained with: query, document or another of"
              + " its tasks.");

  static final List<Setting<?>> ALL =
      List.of(
          MODEL,
          INPUT,
          FIELD,
          STRATEGY,
          WORKERS,
          BATCH,
          TRUNCATE,
          SKIP_EMPTY,
          DIMENSIONS,
          TASK,
          PREFIX,
          ModelOptions.CACHE,
          ModelOptions.HUB);

  private EmbedSettings() {}

  static EmbedderOptions options(Settings settings) {
    Integer dimensions = settings.read(DIMENSIONS);
    if (dimensions != null && dimensions < 1) {
      throw new Problem("--dimensions " + dimensions + ": at least 1");
    }
    return new EmbedderOptions(
        settings.read(STRATEGY),
        positive(settings, WORKERS, EmbedderOptions.MOST_WORKERS),
        positive(settings, BATCH, EmbedderOptions.MOST_BATCH),
        settings.read(TRUNCATE),
        dimensions == null ? 0 : dimensions,
        settings.read(PREFIX),
        settings.read(TASK));
  }

  /** The file of a model, fetched if it must be. */
  static Path file(Settings settings, String model, Progress progress) {
    return ModelOptions.file(settings, model, new Steps(progress));
  }

  /** What fetching a model tells, on the line of the command. */
  private static final class Steps implements dev.ridgeline.model.store.Progress {
    private final Progress line;
    private boolean told;

    Steps(Progress line) {
      this.line = line;
    }

    @Override
    public void step(String what) {
      if (told) line.show(what);
      else line.announce(what);
      told = true;
    }
  }

  /** Where texts come from: arguments, a file, or standard input. */
  static Texts texts(Settings settings, List<String> arguments) {
    Path input = settings.read(INPUT);
    String field = settings.read(FIELD);
    boolean skipEmpty = settings.read(SKIP_EMPTY);
    if (!arguments.isEmpty()) {
      if (input != null) throw new Problem("texts as arguments or from --input, not both");
      if (field != null) throw new Problem("--field belongs to --input");
      return Texts.of(arguments, skipEmpty);
    }
    if (input == null && isTyped()) {
      throw new Problem("no text: give texts as arguments, by --input FILE, or through a pipe");
    }
    if (field == null && input != null && isJsonLines(input)) {
      throw new Problem(input + ": which field of its lines is the text? --field NAME says it");
    }
    return Texts.from(input == null ? Path.of("-") : input, field, System.in, skipEmpty);
  }

  /** By its name: a line of plain text may look like anything. */
  private static boolean isJsonLines(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".jsonl") || name.endsWith(".ndjson");
  }

  /** Whether standard input and output are a terminal: nobody means to type texts into it. */
  private static boolean isTyped() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  static int positive(Settings settings, Setting<Integer> setting) {
    return positive(settings, setting, Integer.MAX_VALUE);
  }

  private static int positive(Settings settings, Setting<Integer> setting, int most) {
    int value = settings.read(setting);
    if (value < 1) throw new Problem(setting.name() + " " + value + ": at least 1");
    if (value > most) throw new Problem(setting.name() + " " + value + ": at most " + most);
    return value;
  }
}
