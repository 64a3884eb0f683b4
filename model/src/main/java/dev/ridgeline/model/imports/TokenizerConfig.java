package dev.ridgeline.model.imports;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.json.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What lies beside the vocabulary of a model that generates: {@code tokenizer_config.json} with the
 * names of special tokens and, there or in a file of its own, the template of conversations.
 */
record TokenizerConfig(Path folder, JsonValue json) {
  private static final int LONGEST_TEMPLATE = 1 << 18;
  private static final Map<String, String> TOKENS =
      Map.of("bos", "bos_token", "eos", "eos_token", "padding", "pad_token");

  static TokenizerConfig in(Path folder) {
    Path path = folder.resolve("tokenizer_config.json");
    JsonValue json =
        Files.exists(path)
            ? JsonFile.read(path)
            : new JsonValue(path, ImportException::new, "", Map.of());
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
            throw json.at(key).wrong("is '%s', which is no token".formatted(content(key)));
          }
        });
    for (String flag : new String[] {"add_bos_token", "add_eos_token"}) {
      if (json.has(flag)) keys.put(flag, json.at(flag).flag(false));
    }
    return new GgufVocabulary(
        vocabulary.model(), vocabulary.tokens(), vocabulary.scores(), vocabulary.kinds(), keys);
  }

  /** A token is written as its text, or as an object that holds it. */
  private String content(String key) {
    JsonValue token = json.at(key);
    return (token.value() instanceof Map<?, ?> ? token.at("content") : token).string();
  }

  /** The template of conversations, or null. */
  String chatTemplate() {
    Path file = folder.resolve("chat_template.jinja");
    if (Files.exists(file)) return JsonFile.text(file, LONGEST_TEMPLATE);
    JsonValue template = json.at("chat_template");
    if (!(template.value() instanceof List<?>)) return template.string(null);
    return template.elements().stream()
        .filter(each -> each.at("name").string("").equals("default"))
        .map(each -> each.at("template").string())
        .findFirst()
        .orElse(null);
  }
}
