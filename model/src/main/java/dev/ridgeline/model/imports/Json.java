package dev.ridgeline.model.imports;

import java.io.ByteArrayInputStream;
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
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the JSON beside a model (config, tokenizer, header of safetensors) into objects that are
 * asked by key; bounded in size, depth and number of values.
 */
final class Json {
  /** The tokenizer of Gemma has 33 MB and two million values. */
  private static final long MOST_BYTES = 128L << 20;

  private static final int MOST_VALUES = 5_000_000;
  private static final int DEEPEST = 32;

  // Names are not interned: a vocabulary is an object of a hundred thousand of them.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxStringLength(1 << 24)
                  .maxNameLength(1 << 16)
                  .maxNumberLength(64)
                  .build())
          .build();

  private final Path path;
  private final JsonParser parser;
  private int values;

  private Json(Path path, JsonParser parser) {
    this.path = path;
    this.parser = parser;
  }

  /** The object in a file. */
  static JsonObject read(Path path) {
    return new JsonObject(path, "", object(path, readAny(path)));
  }

  /** The array in a file. */
  static List<?> array(Path path) {
    if (readAny(path) instanceof List<?> list) return list;
    throw new ImportException(path, "is not a JSON array");
  }

  /** The object in some bytes of a file. */
  static JsonObject read(Path path, byte[] bytes) {
    return new JsonObject(path, "", object(path, parse(path, new ByteArrayInputStream(bytes))));
  }

  /** The text of a file beside it that is no JSON. */
  static String text(Path path, int longest) {
    try {
      long size = Files.size(path);
      if (size > longest) throw new ImportException(path, "is too large: %,d".formatted(size));
      return Files.readString(path);
    } catch (IOException e) {
      throw ImportException.of(path, e);
    }
  }

  private static Map<?, ?> object(Path path, Object value) {
    if (value instanceof Map<?, ?> map) return map;
    throw new ImportException(path, "is not a JSON object");
  }

  private static Object readAny(Path path) {
    ImportException.refuseAllButFiles(path);
    try (InputStream in = Files.newInputStream(path)) {
      long size = Files.size(path);
      if (size > MOST_BYTES) throw new ImportException(path, "is too large: %,d".formatted(size));
      return parse(path, in);
    } catch (IOException e) {
      throw ImportException.of(path, e);
    }
  }

  private static Object parse(Path path, InputStream in) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), in)) {
      parser.nextToken();
      Object value = new Json(path, parser).value();
      if (parser.nextToken() != null) {
        throw new ImportException(path, "is not JSON: something follows its end");
      }
      return value;
    } catch (JacksonIOException e) {
      throw ImportException.of(path, e.getCause());
    } catch (StreamConstraintsException e) {
      throw new ImportException(path, "is nested too deep, or too long%s".formatted(place(e)), e);
    } catch (InputCoercionException e) {
      throw new ImportException(path, "has a number that is too large%s".formatted(place(e)), e);
    } catch (UnexpectedEndOfInputException e) {
      throw new ImportException(path, "is not JSON: it ends too early", e);
    } catch (JacksonException e) {
      throw new ImportException(path, "is not JSON%s".formatted(place(e)), e);
    }
  }

  /** The library's own sentences speak of its types. */
  private static String place(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    if (at == null || at.getLineNr() < 1) return "";
    return " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
  }

  private Object value() {
    if (++values > MOST_VALUES) throw new ImportException(path, "holds too many values");
    JsonToken token = parser.currentToken();
    if (token == null) throw new ImportException(path, "is not JSON: it is empty");
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          if (map.put(name, value()) != null) {
            throw new ImportException(path, "has the key '" + name + "' twice");
          }
        }
        yield map;
      }
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>(2);
        while (parser.nextToken() != JsonToken.END_ARRAY) list.add(value());
        yield list;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new ImportException(path, "is not JSON: unexpected " + token);
    };
  }
}
