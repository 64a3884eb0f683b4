package dev.ridgeline.report;

import java.util.List;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;

/** Writes rows by column: one list of integers for each of their values. */
final class Columns {
  private final JsonGenerator json;

  Columns(JsonGenerator json) {
    this.json = json;
  }

  /** A column that is left out when it holds nothing but its neutral value. */
  <T> void column(String name, List<T> rows, ToLongFunction<T> value, long neutral) {
    for (T row : rows) {
      if (value.applyAsLong(row) != neutral) {
        all(name, rows, value);
        return;
      }
    }
  }

  /** A column that is always there. */
  <T> void all(String name, List<T> rows, ToLongFunction<T> value) {
    json.writeArrayPropertyStart(name);
    for (T row : rows) json.writeNumber(value.applyAsLong(row));
    json.writeEndArray();
  }
}
