package dev.ridgeline.report.file;

import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.Records;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;

/**
 * Rows by column: one list of integers for each of their values. Rows that are records have a
 * column for each component, under its name; texts are kept by index into one table, enums by
 * position, flags as 0 and 1.
 */
final class Columns {
  /** What a row takes on the heap, roughly: a small file of zeros can ask for a lot of it. */
  private static final long BYTES_PER_ROW = 64;

  /** What a column may hold; without a neutral value it must be there. */
  private record Range(long least, long most, Long neutral) {}

  private final Map<String, Long> texts = new LinkedHashMap<>();
  private List<String> known = List.of();
  private final Map<String, Range> ranges = new HashMap<>();

  /** What the components of a name are between. */
  Columns range(String name, long least, long most) {
    ranges.put(name, new Range(least, most, null));
    return this;
  }

  /** The same for a column that is left out when it holds nothing but its neutral value. */
  Columns range(String name, long least, long most, long neutral) {
    ranges.put(name, new Range(least, most, neutral));
    return this;
  }

  // Writing.

  /** Adds a text to the table. */
  void text(String text) {
    texts.putIfAbsent(text, (long) texts.size());
  }

  /** The index of a text in the table. */
  long indexOf(String text) {
    return texts.get(text);
  }

  /** Writes the table. */
  void texts(JsonGenerator json, String name) {
    json.writeArrayPropertyStart(name);
    texts.keySet().forEach(json::writeString);
    json.writeEndArray();
  }

  /** Writes an object of columns. */
  <R extends Record> void write(JsonGenerator json, String name, Class<R> type, List<R> rows) {
    json.writeObjectPropertyStart(name);
    for (RecordComponent component : type.getRecordComponents()) {
      Range range = ranges.get(component.getName());
      Long neutral = range == null ? null : range.neutral;
      column(json, component.getName(), rows, row -> number(component, row), neutral);
    }
    json.writeEndObject();
  }

  private long number(RecordComponent component, Record row) {
    return switch (Records.value(component, row)) {
      case Boolean flag -> flag ? 1 : 0;
      case Enum<?> choice -> choice.ordinal();
      case String text -> indexOf(text);
      case Object number -> ((Number) number).longValue();
    };
  }

  /** Writes a column, unless all of it is the neutral value; null is none. */
  static <T> void column(
      JsonGenerator json, String name, List<T> rows, ToLongFunction<T> value, Long neutral) {
    if (neutral != null && rows.stream().allMatch(row -> value.applyAsLong(row) == neutral)) return;
    json.writeArrayPropertyStart(name);
    for (T row : rows) json.writeNumber(value.applyAsLong(row));
    json.writeEndArray();
  }

  // Reading.

  /** Reads the table. */
  void texts(JsonObject json, String name) {
    know(json.texts(name));
  }

  /** Uses a table that was read already. */
  void know(List<String> table) {
    known = table;
  }

  /** Reads an object of columns. */
  <R extends Record> List<R> read(JsonObject json, Class<R> type) {
    RecordComponent[] components = type.getRecordComponents();
    int size = json.numbers(components[0].getName()).length;
    json.reserve(size * BYTES_PER_ROW);
    long[][] columns =
        Arrays.stream(components).map(one -> column(json, one, size)).toArray(long[][]::new);
    json.end();
    List<R> rows = new ArrayList<>(size);
    for (int row = 0; row < size; row++) {
      Object[] values = new Object[components.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = value(components[i].getType(), columns[i][row]);
      }
      rows.add(Records.made(type, values));
    }
    return rows;
  }

  private long[] column(JsonObject json, RecordComponent component, int size) {
    String name = component.getName();
    Range range = ranges.getOrDefault(name, range(component.getType()));
    if (range.neutral == null && !json.has(name)) throw json.fail(name, "missing");
    long neutral = range.neutral == null ? 0 : range.neutral;
    return json.column(name, size, range.least, range.most, neutral);
  }

  private Range range(Class<?> type) {
    if (type == boolean.class) return new Range(0, 1, 0L);
    if (type == String.class) return new Range(0, known.size() - 1L, null);
    if (type.isEnum()) return new Range(0, type.getEnumConstants().length - 1L, null);
    return new Range(0, type == int.class ? Integer.MAX_VALUE : Long.MAX_VALUE, null);
  }

  private Object value(Class<?> type, long number) {
    if (type == boolean.class) return number == 1;
    if (type == String.class) return known.get((int) number);
    if (type.isEnum()) return type.getEnumConstants()[(int) number];
    return type == int.class ? (Object) (int) number : (Object) number;
  }
}
