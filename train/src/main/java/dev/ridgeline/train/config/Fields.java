package dev.ridgeline.train.config;

import dev.ridgeline.tensor.gguf.NearMisses;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.Json.Field;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An object of a configuration whose keys are asked for by type. What is missing, of another type
 * or unknown is one line that names file, line and key: {@code shakespeare.json:12:
 * optimizer.betta2: unknown key (did you mean beta2?)}.
 */
final class Fields {
  private final Path file;
  private final String path;
  private final int line;
  private final Map<String, Field> fields;

  /** All keys that there are. */
  private Set<String> known = Set.of();

  Fields(Path file, String path, int line, Map<String, Field> fields) {
    this.file = file;
    this.path = path;
    this.line = line;
    this.fields = fields;
  }

  /**
   * Says all keys that there are and refuses others: a misspelt key must not pass for a missing
   * one.
   */
  Fields only(String... keys) {
    known = new LinkedHashSet<>(List.of(keys));
    for (String key : fields.keySet()) {
      if (known.contains(key)) continue;
      List<String> near = NearMisses.of(key, known);
      String meant = near.isEmpty() ? "" : " (did you mean " + near.getFirst() + "?)";
      throw fail(key, "unknown key" + meant);
    }
    return this;
  }

  boolean has(String key) {
    return fields.containsKey(key);
  }

  String text(String key) {
    return get(key, String.class, "a text");
  }

  String text(String key, String missing) {
    return has(key) ? text(key) : missing;
  }

  boolean flag(String key, boolean missing) {
    return has(key) ? get(key, Boolean.class, "true or false") : missing;
  }

  long whole(String key, long missing) {
    return has(key) ? get(key, Long.class, "a whole number") : missing;
  }

  int integer(String key, int missing) {
    return has(key) ? integer(key) : missing;
  }

  int integer(String key) {
    long value = get(key, Long.class, "a whole number");
    if (value == (int) value) return (int) value;
    throw fail(key, "%d is far out of range".formatted(value));
  }

  double real(String key, double missing) {
    return has(key) ? get(key, Number.class, "a number").doubleValue() : missing;
  }

  /** One of some values that are written in small letters. */
  @SafeVarargs
  final <E extends Enum<E>> E choice(String key, E missing, E... choices) {
    if (missing != null && !has(key)) return missing;
    String word = text(key);
    for (E choice : choices) if (word(choice).equals(word)) return choice;
    throw fail(
        key,
        "'%s' is none of %s"
            .formatted(
                word, Stream.of(choices).map(Fields::word).collect(Collectors.joining(", "))));
  }

  private static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /** A text, or a list of them. */
  List<String> texts(String key) {
    Object value = get(key, Object.class, "");
    if (value instanceof String text) return List.of(text);
    if (!(value instanceof List<?> list)) throw fail(key, "must be a text or a list of texts");
    for (Object each : list) {
      if (!(each instanceof String)) throw fail(key, "must be a text or a list of texts");
    }
    return list.stream().map(String.class::cast).toList();
  }

  /** Whether a key has a text and no object. */
  boolean isText(String key) {
    return has(key) && fields.get(key).value() instanceof String;
  }

  /** An object; an empty one where it is not there. */
  Fields object(String key) {
    if (!has(key)) return new Fields(file, path + key + ".", line, Map.of());
    @SuppressWarnings("unchecked") // Json makes no other maps
    Map<String, Field> inner = get(key, Map.class, "an object");
    return new Fields(file, path + key + ".", fields.get(key).line(), inner);
  }

  /** What is made of these keys, which may refuse one of them. */
  <T> T made(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (WrongValueException e) {
      throw fail(e.key(), e.reason());
    }
  }

  TrainException fail(String key, String what) {
    return new TrainException("%s:%d: %s%s: %s".formatted(file, line(key), path, key, what));
  }

  /** The line of a key, or of what it would stand in. */
  private int line(String key) {
    Map<?, ?> in = fields;
    int found = line;
    for (String part : key.split("\\.")) {
      if (!(in.get(part) instanceof Field field)) break;
      found = field.line();
      if (!(field.value() instanceof Map<?, ?> inner)) break;
      in = inner;
    }
    return found;
  }

  private <T> T get(String key, Class<T> type, String words) {
    if (!has(key)) throw fail(key, "missing");
    Object value = fields.get(key).value();
    if (!type.isInstance(value)) throw fail(key, "must be " + words);
    return type.cast(value);
  }
}
