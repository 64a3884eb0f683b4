package dev.ridgeline.report.json;

import dev.ridgeline.profiler.file.FileException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * An object of a JSON file whose fields are asked for by type; whatever is missing, of another type
 * or out of range is a {@link FileException} that names the field by its path.
 */
public final class JsonObject {
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant AFTER_LAST = Instant.parse("+10000-01-01T00:00:00Z");

  private final String source;
  private final HeapBudget heap;
  private final String path;
  private final Map<String, Object> fields;
  private final Set<String> unasked;

  JsonObject(String source, HeapBudget heap, String path, Map<String, Object> fields) {
    this.source = source;
    this.heap = heap;
    this.path = path;
    this.fields = fields;
    this.unasked = new LinkedHashSet<>(fields.keySet());
  }

  /** Whether a field is there. */
  public boolean has(String name) {
    return fields.containsKey(name);
  }

  /** The names of its fields, in the order of the file. */
  public List<String> names() {
    return List.copyOf(fields.keySet());
  }

  /** A text, a number, true or false, as a text. */
  public String word(String name) {
    Object value = value(name);
    if (isWord(value)) return value.toString();
    throw fail(name, "must be a text or a number");
  }

  private static boolean isWord(Object value) {
    return value instanceof String || value instanceof Number || value instanceof Boolean;
  }

  /** A list of those. */
  public List<String> words(String name) {
    return switch (value(name)) {
      case long[] numbers -> Arrays.stream(numbers).mapToObj(Long::toString).toList();
      case double[] reals -> Arrays.stream(reals).mapToObj(JsonObject::plain).toList();
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          if (!isWord(list.get(i))) {
            throw fail(name + "[" + i + "]", "must be a text or a number");
          }
        }
        yield list.stream().map(Object::toString).toList();
      }
      default -> throw fail(name, "must be a list of texts or numbers");
    };
  }

  /** As it was written: of a list with one fraction all are kept as fractions. */
  private static String plain(double real) {
    return real == Math.rint(real) && Math.abs(real) < 1e15
        ? Long.toString((long) real)
        : Double.toString(real);
  }

  /** A text. */
  public String text(String name) {
    return get(name, String.class, "a text");
  }

  /** True or false. */
  public boolean flag(String name) {
    return get(name, Boolean.class, "true or false");
  }

  /** An integer that is not below {@code least}. */
  public long number(String name, long least) {
    return range(name, get(name, Long.class, "an integer"), least, Long.MAX_VALUE);
  }

  /** A finite number, if it is there. */
  public double real(String name, double missing) {
    return has(name) ? real(name) : missing;
  }

  /** A finite number. */
  public double real(String name) {
    return get(name, Number.class, "a number").doubleValue();
  }

  /** A UTC time. */
  public Instant instant(String name) {
    String text = text(name);
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw fail(name, "'" + text + "' is not a UTC time");
    }
  }

  /** A UTC time that has a place in a calendar, see {@link #isDated}. */
  public Instant moment(String name) {
    Instant instant = instant(name);
    if (isDated(instant)) return instant;
    throw fail(name, "'" + text(name) + "' is in no year of four digits");
  }

  /**
   * Whether a moment is one that anything can be done with: the years that an {@link Instant} has
   * beyond four digits are neither drawn nor counted in days by anybody.
   */
  public static boolean isDated(Instant instant) {
    return !instant.isBefore(FIRST) && instant.isBefore(AFTER_LAST);
  }

  /** One of an enum's names. */
  public <E> E choice(String name, Class<E> choices) {
    String text = text(name);
    for (E choice : choices.getEnumConstants()) {
      if (((Enum<?>) choice).name().equals(text)) return choice;
    }
    throw fail(name, "'" + text + "' is none of " + Arrays.toString(choices.getEnumConstants()));
  }

  /** An object. */
  public JsonObject object(String name) {
    return inner(name, get(name, Map.class, "an object"));
  }

  /** A list of objects. */
  public List<JsonObject> objects(String name) {
    List<JsonObject> objects = new ArrayList<>();
    for (Object item : list(name)) {
      String place = name + "[" + objects.size() + "]";
      if (!(item instanceof Map<?, ?> map)) throw fail(place, "must be an object");
      objects.add(inner(place, map));
    }
    return objects;
  }

  /** What is made of each object of a list. */
  public <T> List<T> objects(String name, Function<JsonObject, T> made) {
    return objects(name).stream().map(made).toList();
  }

  /** A list of whatever a file of others holds: texts, numbers, truths, lists, nulls, objects. */
  public List<?> items(String name) {
    return list(name);
  }

  /** A field as one text, or null where it is not there or no text, number or truth. */
  public String wordOrNull(String name) {
    return switch (fields.get(name)) {
      case String text -> text;
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      case null, default -> null;
    };
  }

  /** A list of texts. */
  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object item : list(name)) {
      if (!(item instanceof String text))
        throw fail(name + "[" + texts.size() + "]", "must be a text");
      texts.add(text);
    }
    return texts;
  }

  /** An object all of whose fields are texts. */
  public Map<String, String> textsByName(String name) {
    JsonObject object = object(name);
    Map<String, String> texts = new LinkedHashMap<>();
    for (String key : object.fields.keySet()) texts.put(key, object.text(key));
    return texts;
  }

  /** A list of integers. */
  public long[] numbers(String name) {
    Object value = value(name);
    if (value instanceof List<?> list && list.isEmpty()) return new long[0];
    if (value instanceof long[] numbers) return numbers;
    throw fail(name, "must be a list of integers");
  }

  /** A list of finite numbers. */
  public double[] reals(String name) {
    return value(name) instanceof double[] reals
        ? reals
        : Arrays.stream(numbers(name)).asDoubleStream().toArray();
  }

  /**
   * A list of {@code size} integers in a range; when the field is not there, {@code size} times
   * {@code missing}.
   */
  public long[] column(String name, int size, long least, long most, long missing) {
    if (!has(name)) {
      long[] values = new long[size];
      Arrays.fill(values, missing);
      return values;
    }
    long[] values = numbers(name);
    if (values.length != size) {
      throw fail(name, "has %,d values instead of %,d".formatted(values.length, size));
    }
    for (int i = 0; i < size; i++) {
      if (values[i] < least || values[i] > most)
        range(name + "[" + i + "]", values[i], least, most);
    }
    return values;
  }

  /** Accounts for heap that the caller is about to take for what this object describes. */
  public void reserve(long bytes) {
    heap.spend(bytes);
  }

  /** Refuses what nobody asked for: a misspelt field must not pass for a missing one. */
  public void end() {
    for (String name : unasked) throw fail(name, "unknown field");
  }

  /** What is wrong with a field, with its path and file. */
  public FileException fail(String name, String what) {
    if (!name.isEmpty()) return new FileException(source, path + name + ": " + what);
    String itself = path.isEmpty() ? "" : path.substring(0, path.length() - 1) + ": ";
    return new FileException(source, itself + what);
  }

  private long range(String name, long value, long least, long most) {
    if (value >= least && value <= most) return value;
    String limit = value < least ? "below " + least : "above " + most;
    throw fail(name, value + " is " + limit);
  }

  private JsonObject inner(String name, Map<?, ?> map) {
    @SuppressWarnings("unchecked") // Json makes no other maps
    Map<String, Object> known = (Map<String, Object>) map;
    return new JsonObject(source, heap, path + name + ".", known);
  }

  private List<?> list(String name) {
    return get(name, List.class, "a list");
  }

  private <T> T get(String name, Class<T> type, String words) {
    Object value = value(name);
    if (!type.isInstance(value)) throw fail(name, "must be " + words);
    return type.cast(value);
  }

  private Object value(String name) {
    Object value = fields.get(name);
    if (value == null) throw fail(name, "missing");
    unasked.remove(name);
    return value;
  }
}
