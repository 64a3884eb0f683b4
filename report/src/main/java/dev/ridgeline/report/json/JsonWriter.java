package dev.ridgeline.report.json;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/**
 * Fields of an object, one after the other, as people read them, too. A real number that does not
 * exist is left out.
 */
public final class JsonWriter {
  private final JsonGenerator json;

  private JsonWriter(JsonGenerator json) {
    this.json = json;
  }

  /** Writes the object of a file of a kind. */
  public static void write(OutputStream out, Schema schema, Consumer<JsonWriter> fields)
      throws IOException {
    try (JsonGenerator json = Json.indented(out)) {
      schema.begin(json);
      fields.accept(new JsonWriter(json));
      json.writeEndObject();
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  /** Writes an object that only programs read, which says nothing of its kind by itself. */
  public static void write(OutputStream out, Consumer<JsonWriter> fields) {
    try (JsonGenerator json = Json.indented(out)) {
      new JsonWriter(json).fields(fields);
    }
  }

  private void fields(Consumer<JsonWriter> fields) {
    json.writeStartObject();
    fields.accept(this);
    json.writeEndObject();
  }

  public JsonWriter text(String name, String value) {
    json.writeStringProperty(name, value);
    return this;
  }

  public JsonWriter flag(String name, boolean value) {
    json.writeBooleanProperty(name, value);
    return this;
  }

  public JsonWriter number(String name, long value) {
    json.writeNumberProperty(name, value);
    return this;
  }

  /** A number, or nothing where it is infinite or none. */
  public JsonWriter real(String name, double value) {
    if (Double.isFinite(value)) json.writeNumberProperty(name, value);
    return this;
  }

  /** The same, but null where it is none. */
  public JsonWriter realOrNull(String name, double value) {
    if (Double.isFinite(value)) json.writeNumberProperty(name, value);
    else json.writeNullProperty(name);
    return this;
  }

  public JsonWriter texts(String name, Collection<String> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(json::writeString);
    json.writeEndArray();
    return this;
  }

  public JsonWriter texts(String name, Map<String, String> values) {
    json.writeObjectPropertyStart(name);
    values.forEach(json::writeStringProperty);
    json.writeEndObject();
    return this;
  }

  public JsonWriter reals(String name, double... values) {
    json.writeArrayPropertyStart(name);
    for (double value : values) json.writeNumber(value);
    json.writeEndArray();
    return this;
  }

  public JsonWriter object(String name, Consumer<JsonWriter> fields) {
    json.writeName(name);
    fields(fields);
    return this;
  }

  /** An object for each thing. */
  public <T> JsonWriter objects(
      String name, Collection<T> things, BiConsumer<JsonWriter, T> fields) {
    json.writeArrayPropertyStart(name);
    for (T thing : things) fields(each -> fields.accept(each, thing));
    json.writeEndArray();
    return this;
  }
}
