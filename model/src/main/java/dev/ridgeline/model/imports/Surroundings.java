package dev.ridgeline.model.imports;

import dev.ridgeline.model.Prompts;
import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.Pooling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
      for (Object module : Json.array(modules)) {
        JsonObject each = module(modules, module);
        if (each.string("type").endsWith("Pooling")) return pooling(each.string("path"));
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

  static JsonObject module(Path modules, Object module) {
    if (module instanceof Map<?, ?> map) return new JsonObject(modules, "", map);
    throw new ImportException(modules, "has a module that is no object");
  }

  private Pooling pooling(String path) {
    JsonObject config = Json.read(inside(path).resolve("config.json"));
    if (config.flag("pooling_mode_mean_tokens", false)) return Pooling.MEAN;
    if (config.flag("pooling_mode_cls_token", false)) return Pooling.CLS;
    if (config.flag("pooling_mode_lasttoken", false)) return Pooling.LAST;
    return switch (config.string("pooling_mode", "")) {
      case "mean" -> Pooling.MEAN;
      case "cls" -> Pooling.CLS;
      case "lasttoken" -> Pooling.LAST;
      default -> throw new ImportException(config.path(), "has neither mean, cls nor last pooling");
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

  /** Texts that a model wants before others, by task, under the keys of {@link Prompts}. */
  void prompts(Draft draft) {
    Path config = folder.resolve("config_sentence_transformers.json");
    if (!options.prompts().isEmpty()) {
      options.prompts().forEach((task, prompt) -> draft.put(Prompts.KEY + task, prompt));
    } else if (Files.exists(config)) {
      JsonObject json = Json.read(config);
      if (!json.has("prompts")) return;
      JsonObject prompts = json.object("prompts");
      for (Object task : prompts.values().keySet()) {
        draft.put(Prompts.KEY + task, prompts.string((String) task));
      }
    } else if (isOf("e5")) {
      draft.put(Prompts.KEY + "query", "query: ");
      draft.put(Prompts.KEY + "document", "passage: ");
    }
  }

  private boolean isOf(String family) {
    String word = "(?:.*[^a-z0-9])?" + family + "(?:[^a-z0-9].*)?";
    return name.toLowerCase(Locale.ROOT).matches(word);
  }
}
