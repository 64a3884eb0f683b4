package dev.ridgeline.model.json;

import java.io.IOException;
import java.io.InputStream;
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

/** Reads JSON into values that know their place; bounded in size, depth and number of values. */
public final class Json {
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
                  .maxDocumentLength(MOST_BYTES)
                  .maxNestingDepth(DEEPEST)
                  .maxStringLength(1 << 24)
                  .maxNameLength(1 << 16)
                  .maxNumberLength(64)
                  .build())
          .build();

  private final Path path;
  private final JsonParser parser;
  private final Refusal refusal;
  private int values;

  private Json(Path path, JsonParser parser, Refusal refusal) {
    this.path = path;
    this.parser = parser;
    this.refusal = refusal;
  }

  /**
   * The value that a stream has, and nothing else.
   *
   * @param path that complaints name
   * @param refusal what they are thrown as
   */
  public static JsonValue read(Path path, InputStream in, Refusal refusal) throws IOException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), in)) {
      parser.nextToken();
      Json json = new Json(path, parser, refusal);
      Object value = json.value();
      if (parser.nextToken() != null) throw json.refused("is not JSON: something follows its end");
      return new JsonValue(path, refusal, "", value);
    } catch (JacksonIOException e) {
      throw e.getCause();
    } catch (StreamConstraintsException e) {
      throw refusal.of(
          path, "has a text or a number that is too long, or is nested too deep" + place(e), e);
    } catch (InputCoercionException e) {
      throw refusal.of(path, "has a number that is too large" + place(e), e);
    } catch (UnexpectedEndOfInputException e) {
      throw refusal.of(path, "is not JSON: it ends too early", e);
    } catch (JacksonException e) {
      throw refusal.of(path, "is not JSON" + place(e), e);
    }
  }

  private RuntimeException refused(String reason) {
    return refusal.of(path, reason, null);
  }

  /** The library's own sentences speak of its types. */
  private static String place(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    if (at == null || at.getLineNr() < 1) return "";
    return " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
  }

  private Object value() {
    if (++values > MOST_VALUES) throw refused("holds too many values");
    JsonToken token = parser.currentToken();
    if (token == null) throw refused("is not JSON: it is empty");
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          if (map.put(name, value()) != null) {
            throw refused("has the key '" + name + "' twice");
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
      default -> throw refused("is not JSON: unexpected " + token);
    };
  }
}
