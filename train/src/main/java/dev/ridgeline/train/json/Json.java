package dev.ridgeline.train.json;

import dev.ridgeline.train.TrainException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/** Reads a JSON object into {@link Fields} that know their lines. */
public final class Json {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(12)
                  .maxStringLength(1 << 24)
                  .maxNameLength(1 << 10)
                  .maxNumberLength(64)
                  .build())
          .build();

  /** The value of a key, and its line. */
  record Field(Object value, int line) {}

  private final Path file;
  private final int firstLine;
  private final JsonParser parser;

  private Json(Path file, int firstLine, JsonParser parser) {
    this.file = file;
    this.firstLine = firstLine;
    this.parser = parser;
  }

  /** Reads a file that is one object. */
  public static Fields read(Path file, byte[] bytes) {
    return read(file, 1, bytes, 0, bytes.length);
  }

  /**
   * Reads the object in a part of a file.
   *
   * @param line of the file that the part begins with
   */
  public static Fields read(Path file, int line, byte[] bytes, int from, int length) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), bytes, from, length)) {
      return new Json(file, line, parser).whole();
    } catch (UnexpectedEndOfInputException e) {
      throw fail(file, line, e, "ends too early");
    } catch (StreamConstraintsException e) {
      throw fail(file, line, e, "nested too deep, or a text or number is too long");
    } catch (JacksonException e) {
      throw fail(file, line, e, "not JSON: " + e.getOriginalMessage());
    }
  }

  private Fields whole() {
    if (parser.nextToken() != JsonToken.START_OBJECT) throw fail("not a JSON object");
    int line = line();
    Map<String, Field> fields = object();
    if (parser.nextToken() != null) throw fail("unexpected text after the object");
    return new Fields(file, "", line, fields);
  }

  private Map<String, Field> object() {
    Map<String, Field> fields = new LinkedHashMap<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      int line = line();
      parser.nextToken();
      if (fields.put(name, new Field(value(), line)) != null) {
        throw fail("duplicate key '" + name + "'");
      }
    }
    return fields;
  }

  private Object value() {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object();
      case START_ARRAY -> {
        List<Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) values.add(value());
        yield values;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT ->
          switch (parser.getNumberType()) {
            case INT, LONG -> parser.getLongValue();
            default -> throw fail("a number with more than 64 bits");
          };
      case VALUE_NUMBER_FLOAT -> {
        double value = parser.getDoubleValue();
        if (!Double.isFinite(value)) throw fail("a number beyond the range of doubles");
        yield value;
      }
      default -> null;
    };
  }

  private int line() {
    return line(firstLine, parser.currentTokenLocation());
  }

  private static int line(int first, TokenStreamLocation at) {
    return first - 1 + (at == null ? 1 : Math.max(1, at.getLineNr()));
  }

  private TrainException fail(String what) {
    return new TrainException(file + ":" + line() + ": " + what);
  }

  private static TrainException fail(Path file, int first, JacksonException e, String what) {
    return new TrainException(file + ":" + line(first, e.getLocation()) + ": " + what);
  }
}
