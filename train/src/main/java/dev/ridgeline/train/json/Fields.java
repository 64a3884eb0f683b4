package dev.ridgeline.train.json;

import dev.ridgeline.tensor.gguf.NearMisses;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.json.Json.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JSON object whose keys are read by type. A key that is missing, unknown or of another type is
 * an error of one line that names file, line and key: {@code shakespeare.json:12: optimizer.betta2:
 * unknown key (did you mean beta2?)}.
 */
public final class Fields {
  private final Path file;
  private final String path;
  private final int line;
  private final Map<String, Field> fields;

  Fields(Path file, String path, int line, Map<String, Field> fields) {
    this.file = file;
    this.path = path;
    this.line = line;
    this.fields = fields;
  }

  /** Refuses keys that are not known: a misspelt key must not pass for a missing one. */
  public Fields only(Set<String> known) {
    for (String key : fields.keySet()) {
      if (known.contains(key)) continue;
      List<String> near = NearMisses.of(key, known);
      String meant = near.isEmpty() ? "" : " (did you mean " + near.getFirst() + "?)";
      throw fail(key, "unknown key" + meant);
    }
    return this;
  }

  public boolean has(String key) {
    return fields.containsKey(key);
  }

  public String text(String key) {
    return get(key, String.class, "a text");
  }

  public String text(String key, String missing) {
    return has(key) ? text(key) : missing;
  }

  public boolean flag(String key, boolean missing) {
    return has(key) ? get(key, Boolean.class, "true or false") : missing;
  }

  public long whole(String key) {
    return get(key, Long.class, "a whole number");
  }

  public long whole(String key, long missing) {
    return has(key) ? whole(key) : missing;
  }

  public int integer(String key, int missing) {
    return has(key) ? integer(key) : missing;
  }

  public int integer(String key) {
    long value = whole(key);
    if (value == (int) value) return (int) value;
    throw fail(key, "%d is out of range".formatted(value));
  }

  public double real(String key, double missing) {
    return has(key) ? get(key, Number.class, "a number").doubleValue() : missing;
  }

  /** A number, or NaN for null. */
  public double realOrNull(String key) {
    return has(key) && fields.get(key).value() == null
        ? Double.NaN
        : get(key, Number.class, "a number").doubleValue();
  }

  /** One of some values that are written in small letters. */
  @SafeVarargs
  public final <E extends Enum<E>> E choice(String key, E missing, E... choices) {
    if (missing != null && !has(key)) return missing;
    String word = text(key);
    for (E choice : choices) if (word(choice).equals(word)) return choice;
    throw fail(
        key,
        "'%s' is not one of %s"
            .formatted(
                word, Stream.of(choices).map(Fields::word).collect(Collectors.joining(", "))));
  }

  private static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /** A text, or a list of them. */
  public List<String> texts(String key) {
    if (isText(key)) return List.of(text(key));
    List<?> list = get(key, List.class, "a text or a list of texts");
    for (Object each : list) {
      if (!(each instanceof String)) throw fail(key, "must be a text or a list of texts");
    }
    return list.stream().map(String.class::cast).toList();
  }

  /** Whether a key has a text and not an object. */
  public boolean isText(String key) {
    return has(key) && fields.get(key).value() instanceof String;
  }

  /** An object; an empty one where the key is missing. */
  public Fields object(String key) {
    return has(key) ? inner(key, get(key, Map.class, "an object")) : inner(key, Map.of());
  }

  /** A list of objects. */
  public List<Fields> objects(String key) {
    List<Fields> objects = new ArrayList<>();
    for (Object each : get(key, List.class, "a list of objects")) {
      if (!(each instanceof Map<?, ?> map)) throw fail(key, "must be a list of objects");
      objects.add(inner(key, map));
    }
    return objects;
  }

  @SuppressWarnings("unchecked") // Json makes no other maps
  private Fields inner(String key, Map<?, ?> object) {
    return new Fields(file, path + key + ".", line(key), (Map<String, Field>) object);
  }

  /** Makes something of these keys; a value that it refuses is an error at its key. */
  public <T> T made(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (WrongValueException e) {
      throw fail(e.key(), e.reason());
    }
  }

  public TrainException fail(String key, String what) {
    return new TrainException("%s:%d: %s%s: %s".formatted(file, line(key), path, key, what));
  }

  /** The line of a key, or of the object that it would be in. */
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
