package dev.ridgeline.report.json;

import dev.ridgeline.profiler.file.FileException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * Reads a JSON file into {@link JsonObject}s and opens generators that write one.
 *
 * <p>A file may hold anything: it is bounded in size, depth and in the heap that its values take,
 * keys are unique, and whatever is wrong becomes a {@link FileException}. Arrays of numbers become
 * {@code long[]} or {@code double[]}, so that a large profile costs eight bytes a value.
 */
public final class Json {
  private static final int MAX_DEPTH = 12;
  private static final int BYTES_PER_OBJECT = 64;

  // Non-ASCII is escaped because only so every Java string, half a surrogate pair included, comes
  // back as it was.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(1 << 20)
                  .maxNameLength(1 << 12)
                  .maxNumberLength(64)
                  .build())
          .build();

  private final String source;
  private final JsonParser parser;
  private final HeapBudget heap;

  /**
   * Whether others wrote the file: nulls are fields that are not there, and lists hold anything.
   */
  private final boolean foreign;

  private Json(String source, JsonParser parser, HeapBudget heap, boolean foreign) {
    this.source = source;
    this.parser = parser;
    this.heap = heap;
    this.foreign = foreign;
  }

  /** The object that a file of a kind holds, past the two fields that say so. */
  public static JsonObject read(Path file, Schema schema) {
    try (InputStream in = open(file, schema.kind(), schema.maxBytes())) {
      return read(file.toString(), in, schema);
    } catch (IOException e) {
      throw FileException.of(file, e);
    }
  }

  /** What is made of the object; what it cannot be made of is a {@link FileException}. */
  public static <T> T read(Path file, Schema schema, Function<JsonObject, T> made) {
    JsonObject json = read(file, schema);
    try {
      return made.apply(json);
    } catch (IllegalArgumentException e) {
      throw json.fail("", e.getMessage());
    }
  }

  /**
   * The objects in a file that others wrote: one, a list of them, or one after the other.
   *
   * @param kind what the file is taken for, in messages
   */
  public static List<JsonObject> foreign(Path file, String kind, long maxBytes) {
    String source = file.toString();
    HeapBudget heap = new HeapBudget(source, Runtime.getRuntime().maxMemory() / 2);
    try (InputStream in = open(file, kind, maxBytes)) {
      return reading(source, in, heap, true, json -> json.objects());
    } catch (IOException e) {
      throw FileException.of(file, e);
    }
  }

  private static InputStream open(Path file, String kind, long maxBytes) throws IOException {
    // Opening a pipe would wait for its writer, perhaps for ever.
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new FileException(file, Files.isDirectory(file) ? "Is a directory" : "not a file");
    }
    long bytes = Files.size(file);
    if (bytes > maxBytes) {
      throw new FileException(
          file,
          "%.0f MB is too large for a %s (limit %.0f MB)"
              .formatted(bytes / 1e6, kind, maxBytes / 1e6));
    }
    return Files.newInputStream(file);
  }

  /** The same for a stream that messages name {@code source}. */
  public static JsonObject read(String source, InputStream in, Schema schema) throws IOException {
    HeapBudget heap = new HeapBudget(source, Runtime.getRuntime().maxMemory() / 2);
    return read(source, in, schema, heap);
  }

  static JsonObject read(String source, InputStream in, Schema schema, HeapBudget heap)
      throws IOException {
    return reading(source, in, heap, false, json -> json.object(schema));
  }

  private JsonObject object(Schema schema) {
    if (parser.nextToken() != JsonToken.START_OBJECT) throw fail("not a JSON object");
    expect(schema);
    Map<String, Object> root = object(1);
    if (parser.nextToken() != null) throw fail("something follows its end");
    return new JsonObject(source, heap, "", root);
  }

  private List<JsonObject> objects() {
    List<JsonObject> objects = new ArrayList<>();
    boolean listed = false;
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      if (token == JsonToken.START_ARRAY && objects.isEmpty() && !listed) {
        listed = true;
      } else if (token == JsonToken.END_ARRAY && listed) {
        if (parser.nextToken() != null) throw fail("something follows its end");
        return objects;
      } else if (token == JsonToken.START_OBJECT) {
        objects.add(new JsonObject(source, heap, "[" + objects.size() + "].", object(1)));
      } else {
        throw fail("not a JSON object");
      }
    }
    if (objects.isEmpty()) throw new FileException(source, "is empty");
    return objects;
  }

  private static <T> T reading(
      String source, InputStream in, HeapBudget heap, boolean foreign, Function<Json, T> what)
      throws IOException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), in)) {
      return what.apply(new Json(source, parser, heap, foreign));
    } catch (JacksonIOException e) {
      throw e.getCause();
    } catch (UnexpectedEndOfInputException e) {
      throw new FileException(source, "cut off" + at(e.getLocation()));
    } catch (StreamConstraintsException _) {
      throw new FileException(source, "holds a text, a number or a length beyond all limits");
    } catch (JacksonException e) {
      String message = e.getOriginalMessage();
      throw new FileException(source, "not JSON" + at(e.getLocation()) + ": " + message);
    }
  }

  /** Writes to a generator and closes it; what a disk refuses is an IOException again. */
  public static <T> T write(JsonGenerator generator, Function<JsonGenerator, T> written)
      throws IOException {
    try (generator) {
      return written.apply(generator);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  /** A generator on one line: for what programs read. */
  public static JsonGenerator compact(OutputStream out) {
    return FACTORY.createGenerator(ObjectWriteContext.empty(), out);
  }

  /** A generator with a line for each value: for what people read, too. */
  public static JsonGenerator indented(OutputStream out) {
    ObjectWriteContext context =
        new ObjectWriteContext.Base() {
          @Override
          public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
          }

          @Override
          public boolean hasPrettyPrinter() {
            return true;
          }
        };
    return FACTORY.createGenerator(context, out);
  }

  private void expect(Schema schema) {
    if (!Schema.KIND.equals(parser.nextName()) || parser.nextToken() != JsonToken.VALUE_STRING) {
      throw new FileException(source, "not a file of Ridgeline");
    }
    String kind = parser.getString();
    if (!kind.equals(schema.kind())) {
      throw new FileException(source, "a Ridgeline " + kind + ", not a " + schema.kind());
    }
    if (!Schema.VERSION.equals(parser.nextName())
        || parser.nextToken() != JsonToken.VALUE_NUMBER_INT) {
      throw new FileException(source, "does not say its version");
    }
    long version = integer();
    if (version == schema.version()) return;
    String what = version > schema.version() ? "written by a newer" : "written by an older";
    throw new FileException(
        source,
        "%s Ridgeline (version %d; this one reads %d)".formatted(what, version, schema.version()));
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      Object value = value(depth);
      if (value != null && fields.putIfAbsent(name, value) != null)
        throw fail("'" + name + "' is there twice");
    }
    return fields;
  }

  private Object value(int depth) {
    heap.spend(BYTES_PER_OBJECT);
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(deeper(depth));
      case START_ARRAY -> array(deeper(depth));
      case VALUE_STRING -> text();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> real();
      default -> nothing();
    };
  }

  private Object nothing() {
    if (foreign && parser.currentToken() == JsonToken.VALUE_NULL) return null;
    throw fail("null is not used in such files");
  }

  private int deeper(int depth) {
    if (depth == MAX_DEPTH) throw fail("nested deeper than " + MAX_DEPTH);
    return depth + 1;
  }

  private Object array(int depth) {
    JsonToken token = parser.nextToken();
    if (token == JsonToken.VALUE_NUMBER_INT && !foreign) return integers();
    if (token == JsonToken.VALUE_NUMBER_FLOAT && !foreign) return reals(new double[16], 0);
    List<Object> values = new ArrayList<>();
    for (; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
      values.add(value(depth));
    }
    return values;
  }

  private Object integers() {
    long[] values = new long[16];
    int count = 0;
    for (JsonToken token = parser.currentToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      if (token == JsonToken.VALUE_NUMBER_FLOAT) {
        heap.spend(8L * count);
        return reals(Arrays.stream(values).asDoubleStream().toArray(), count);
      }
      if (token != JsonToken.VALUE_NUMBER_INT) throw fail("numbers and other things in one list");
      if (count == values.length) {
        heap.spend(16L * count);
        values = Arrays.copyOf(values, 2 * count);
      }
      values[count++] = integer();
    }
    return Arrays.copyOf(values, count);
  }

  private double[] reals(double[] values, int count) {
    for (JsonToken token = parser.currentToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      if (!token.isNumeric()) throw fail("numbers and other things in one list");
      if (count == values.length) {
        heap.spend(16L * count);
        values = Arrays.copyOf(values, 2 * count);
      }
      values[count++] = real();
    }
    return Arrays.copyOf(values, count);
  }

  private String text() {
    String text = parser.getString();
    heap.spend(2L * text.length());
    return text;
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

  private FileException fail(String what) {
    return new FileException(source, what + at(parser.currentTokenLocation()));
  }

  private static String at(TokenStreamLocation place) {
    return " at line %d, column %d".formatted(place.getLineNr(), place.getColumnNr());
  }
}
