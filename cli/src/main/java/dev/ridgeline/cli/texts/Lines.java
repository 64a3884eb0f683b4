package dev.ridgeline.cli.texts;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.model.tokenizer.WholeText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Lines of UTF-8, plain or JSON. */
final class Lines extends Texts {
  /** Numbers keep all their digits. */
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  /** For what UTF-8 has no bytes for. */
  private static final JsonMapper ASCII =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final String name;
  private final Utf8Lines lines;
  private final long size;
  private final String field;
  private final boolean withFields;
  private String fields;

  private Lines(
      String name, InputStream in, long size, String field, boolean skipEmpty, boolean withFields) {
    super(skipEmpty);
    this.withFields = withFields;
    this.name = name;
    this.lines = new Utf8Lines(in);
    this.size = size;
    this.field = field;
  }

  static Lines of(
      Path file, String field, InputStream standardInput, boolean skipEmpty, boolean withFields) {
    if (file.toString().equals("-")) {
      return new Lines("standard input", standardInput, 0, field, skipEmpty, withFields);
    }
    try {
      InputStream in = Files.newInputStream(file);
      return new Lines(file.toString(), in, Files.size(file), field, skipEmpty, withFields);
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  @Override
  String read() {
    String line = line();
    if (line == null) return null;
    if (count() == 0 && line.startsWith("\uFEFF")) line = line.substring(1);
    return field == null || line.isBlank() ? line : field(line);
  }

  private String line() {
    try {
      return lines.next();
    } catch (CharacterCodingException e) {
      throw new Problem("%s: not UTF-8 at line %d".formatted(name, count() + 1), e);
    } catch (IOException e) {
      throw new Problem("cannot read %s: %s".formatted(name, e.getMessage()), e);
    }
  }

  private String field(String json) {
    JsonNode node;
    try {
      node = JSON.readTree(json);
    } catch (JacksonException e) {
      throw new Problem(place(count()) + ": not JSON", e);
    }
    JsonNode value = node.get(field);
    if (value == null) throw new Problem("%s: no field '%s'".formatted(place(count()), field));
    if (value.isNull()) return "";
    if (!value.isString()) {
      throw new Problem("%s: field '%s' is not text".formatted(place(count()), field));
    }
    String text = value.stringValue();
    if (WholeText.firstHalf(text) >= 0) {
      throw new Problem(place(count()) + ": half a character, \\uD800 to \\uDFFF");
    }
    if (withFields) fields = others((ObjectNode) node);
    return text;
  }

  /** All but the text, as it will be written. */
  private String others(ObjectNode line) {
    line.remove(field);
    if (line.isEmpty()) return null;
    String json = JSON.writeValueAsString(line);
    return WholeText.firstHalf(json) < 0 ? json : ASCII.writeValueAsString(line);
  }

  @Override
  String fields() {
    return fields;
  }

  @Override
  public boolean inLines() {
    return true;
  }

  @Override
  public String place(long index) {
    return "%s, line %d".formatted(name, index + 1);
  }

  @Override
  public double part() {
    return size == 0 ? Double.NaN : Math.min(1, (double) lines.bytes() / size);
  }

  @Override
  public void close() {
    try {
      lines.close();
    } catch (IOException _) {
      // Everything was read.
    }
  }
}
