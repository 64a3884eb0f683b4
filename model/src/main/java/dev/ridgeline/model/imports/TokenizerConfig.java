package dev.ridgeline.model.imports;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What lies beside the vocabulary of a model that generates: {@code tokenizer_config.json} with the
 * names of special tokens and, there or in a file of its own, the template of conversations.
 */
final class TokenizerConfig {
  private static final int LONGEST_TEMPLATE = 1 << 18;
  private static final Map<String, String> TOKENS =
      Map.of("bos", "bos_token", "eos", "eos_token", "padding", "pad_token");

  private final Path folder;
  private final JsonObject json;

  private TokenizerConfig(Path folder, JsonObject json) {
    this.folder = folder;
    this.json = json;
  }

  static TokenizerConfig in(Path folder) {
    Path path = folder.resolve("tokenizer_config.json");
    JsonObject json = Files.exists(path) ? Json.read(path) : new JsonObject(path, "", Map.of());
    return new TokenizerConfig(folder, json);
  }

  /** A vocabulary with what is said here, which is what its makers run it with. */
  GgufVocabulary refined(GgufVocabulary vocabulary) {
    Map<String, Object> keys = new LinkedHashMap<>(vocabulary.more());
    TOKENS.forEach(
        (name, key) -> {
          if (!json.has(key)) return;
          int id = vocabulary.tokens().indexOf(content(key));
          if (id >= 0) keys.put(name + "_token_id", id);
          // Nothing that is written is padded.
          else if (!name.equals("padding")) {
            throw json.wrong(key, "is '%s', which is no token".formatted(content(key)));
          }
        });
    for (String flag : new String[] {"add_bos_token", "add_eos_token"}) {
      if (json.has(flag)) keys.put(flag, json.flag(flag, false));
    }
    return new GgufVocabulary(
        vocabulary.model(), vocabulary.tokens(), vocabulary.scores(), vocabulary.kinds(), keys);
  }

  /** A token is written as its text, or as an object that holds it. */
  private String content(String key) {
    return json.values().get(key) instanceof Map<?, ?>
        ? json.object(key).string("content")
        : json.string(key);
  }

  /** The template of conversations, or null. */
  String chatTemplate() {
    Path file = folder.resolve("chat_template.jinja");
    if (Files.exists(file)) return Json.text(file, LONGEST_TEMPLATE);
    Object template = json.values().get("chat_template");
    if (!(template instanceof Iterable<?> several)) {
      return template == null ? null : json.string("chat_template");
    }
    for (Object each : several) {
      if (each instanceof Map<?, ?> map
          && "default".equals(map.get("name"))
          && map.get("template") instanceof String text) {
        return text;
      }
    }
    return null;
  }
}
