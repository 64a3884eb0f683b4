package dev.ridgeline.train.config;

import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
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
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/** Reads a configuration into {@link Fields} that know their lines. */
final class Json {
  private static final long MOST_BYTES = 1 << 20;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(12)
                  .maxStringLength(1 << 16)
                  .maxNameLength(1 << 10)
                  .maxNumberLength(64)
                  .build())
          .build();

  /** What a key has, and its line. */
  record Field(Object value, int line) {}

  private final Path file;
  private final JsonParser parser;

  private Json(Path file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  static Fields read(Path file) {
    // Opening a pipe would wait for its writer, perhaps for ever.
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new TrainException(file, Files.isDirectory(file) ? "is a directory" : "not a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      if (Files.size(file) > MOST_BYTES) {
        throw new TrainException(file, "is too large for a configuration");
      }
      return read(file, in);
    } catch (IOException e) {
      throw TrainException.of(file, e);
    }
  }

  private static Fields read(Path file, InputStream in) throws IOException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), in)) {
      Json json = new Json(file, parser);
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new TrainException(file, "not a JSON object");
      }
      int line = json.line();
      Map<String, Field> fields = json.object();
      if (parser.nextToken() != null) throw json.fail("something follows its end");
      return new Fields(file, "", line, fields);
    } catch (JacksonIOException e) {
      throw e.getCause();
    } catch (UnexpectedEndOfInputException e) {
      throw new TrainException(place(file, e.getLocation()) + ": ends too early");
    } catch (StreamConstraintsException _) {
      throw new TrainException(file, "is nested too deep, or a text or number is too long");
    } catch (JacksonException e) {
      throw new TrainException(
          place(file, e.getLocation()) + ": not JSON: " + e.getOriginalMessage());
    }
  }

  private static String place(Path file, TokenStreamLocation at) {
    return at == null || at.getLineNr() < 1 ? file.toString() : file + ":" + at.getLineNr();
  }

  private Map<String, Field> object() {
    Map<String, Field> fields = new LinkedHashMap<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      int line = line();
      parser.nextToken();
      if (fields.put(name, new Field(value(), line)) != null) {
        throw fail("'" + name + "' is there twice");
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
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> real();
      default -> throw fail("null is not used in configurations");
    };
  }

  private long integer() {
    return switch (parser.getNumberType()) {
      case INT, LONG -> parser.getLongValue();
      default -> throw fail("a number with more than 64 bits");
    };
  }

  private double real() {
    double value = parser.getDoubleValue();
    if (!Double.isFinite(value)) throw fail("a number beyond the range of doubles");
    return value;
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private TrainException fail(String what) {
    return new TrainException(file + ":" + line() + ": " + what);
  }
}
