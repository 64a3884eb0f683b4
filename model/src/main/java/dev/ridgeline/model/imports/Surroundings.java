package dev.ridgeline.model.imports;

import dev.ridgeline.model.draft.Draft;
import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.json.JsonValue;
import dev.ridgeline.model.shape.OwnKeys;
import dev.ridgeline.model.shape.Pooling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What lies beside the weights and says how a model is used: its name, how texts are pooled, what
 * is put before them.
 */
final class Surroundings {
  private final Path folder;
  private final Options options;
  private final String name;
  private final List<String> notes = new ArrayList<>();

  /**
   * Those of a model.
   *
   * @param folder that holds config and modules, if anything does
   * @param name by which the files go
   */
  Surroundings(Path folder, String name, Options options) {
    this.folder = folder;
    this.options = options;
    this.name = options.name() == null ? name : options.name();
  }

  String name() {
    return name;
  }

  List<String> notes() {
    return notes;
  }

  void note(String note) {
    notes.add(note);
  }

  /** Whether anything says how texts are pooled. */
  boolean saysPooling() {
    return options.pooling() != null
        || Files.exists(folder.resolve("modules.json"))
        || Files.exists(folder.resolve("1_Pooling").resolve("config.json"));
  }

  /** As told, as the modules say, as this family is known to be, or the mean. */
  Pooling pooling() {
    if (options.pooling() != null) return options.pooling();
    Path modules = folder.resolve("modules.json");
    if (Files.exists(modules)) {
      for (JsonValue each : JsonFile.read(modules).elements()) {
        if (each.at("type").string().endsWith("Pooling")) return pooling(each.at("path").string());
      }
    }
    Path usual = folder.resolve("1_Pooling").resolve("config.json");
    if (Files.exists(usual)) return pooling("1_Pooling");
    Pooling known = isOf("bge") ? Pooling.CLS : Pooling.MEAN;
    boolean guessed = !isOf("bge") && !isOf("minilm") && !isOf("e5") && !isOf("gte");
    note(
        "pooling %s: %s"
            .formatted(
                known.name().toLowerCase(Locale.ROOT),
                guessed ? "nothing says otherwise (--pooling)" : "what this family uses"));
    return known;
  }

  private Pooling pooling(String path) {
    JsonValue config = JsonFile.read(inside(path).resolve("config.json"));
    if (config.at("pooling_mode_mean_tokens").flag(false)) return Pooling.MEAN;
    if (config.at("pooling_mode_cls_token").flag(false)) return Pooling.CLS;
    if (config.at("pooling_mode_lasttoken").flag(false)) return Pooling.LAST;
    return switch (config.at("pooling_mode").string("")) {
      case "mean" -> Pooling.MEAN;
      case "cls" -> Pooling.CLS;
      case "lasttoken" -> Pooling.LAST;
      default -> throw config.wrong("has neither mean, cls nor last pooling");
    };
  }

  /** A folder below this one; a path of a file is not a way out of it. */
  Path inside(String path) {
    Path below = folder.resolve(path).normalize();
    if (!below.startsWith(folder.normalize())) {
      throw new ImportException(folder, "a module lies outside: " + path);
    }
    return below;
  }

  /** Texts that a model wants before others, by task, under the keys of {@link OwnKeys#PROMPT}. */
  void prompts(Draft draft) {
    Path config = folder.resolve("config_sentence_transformers.json");
    if (!options.prompts().isEmpty()) {
      options.prompts().forEach((task, prompt) -> draft.put(OwnKeys.PROMPT + task, prompt));
    } else if (Files.exists(config)) {
      JsonValue json = JsonFile.read(config);
      if (!json.has("prompts")) return;
      JsonValue prompts = json.at("prompts");
      for (String task : prompts.names()) {
        draft.put(OwnKeys.PROMPT + task, prompts.at(task).string());
      }
    } else if (isOf("e5")) {
      draft.put(OwnKeys.PROMPT + "query", "query: ");
      draft.put(OwnKeys.PROMPT + "document", "passage: ");
    }
  }

  private boolean isOf(String family) {
    String word = "(?:.*[^a-z0-9])?" + family + "(?:[^a-z0-9].*)?";
    return name.toLowerCase(Locale.ROOT).matches(word);
  }
}
