package dev.ridgeline.train.log;

import dev.ridgeline.train.TrainException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads what a {@link Journal} has written. Half a line at the end, of a process that was killed,
 * is passed over; what is wrong elsewhere is a {@link TrainException} that names file and line.
 */
public final class JournalReader {
  private static final JsonFactory JSON = new JsonFactory();

  private final Path file;
  private final byte[] bytes;
  private int number;
  private int from;
  private int to;

  private JournalReader(Path file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /** All lines of a file. */
  public static List<Line> read(Path file) {
    try {
      JournalReader reader = new JournalReader(file, Files.readAllBytes(file));
      List<Line> lines = new ArrayList<>();
      while (reader.next()) lines.add(reader.line());
      return lines;
    } catch (IOException e) {
      throw TrainException.of(file, e);
    }
  }

  /** The lines of a file up to a step, as they are written, but for those that cannot be read. */
  static byte[] upTo(Path file, byte[] bytes, long step, Consumer<String> warnings) {
    JournalReader reader = new JournalReader(file, bytes);
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    while (reader.next()) {
      try {
        if (reader.line().step() > step) continue;
      } catch (TrainException e) {
        warnings.accept(e.getMessage() + "; the line is dropped");
        continue;
      }
      kept.write(bytes, reader.from, reader.to + 1 - reader.from);
    }
    return kept.toByteArray();
  }

  /** Goes to the next line that has an end. */
  private boolean next() {
    from = number == 0 ? 0 : to + 1;
    number++;
    for (to = from; to < bytes.length; to++) if (bytes[to] == '\n') return true;
    return false;
  }

  private Line line() {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes, from, to - from)) {
      Map<String, Object> fields = fields(json);
      long step = whole(fields, "step");
      return switch (text(fields, "kind")) {
        case "step" ->
            new Line.Step(
                step,
                real(fields, "loss"),
                real(fields, "rate"),
                real(fields, "norm"),
                real(fields, "tokensPerSecond"),
                real(fields, "seconds"),
                whole(fields, "memory"));
        case "evaluation" ->
            new Line.Evaluation(
                step, real(fields, "loss"), whole(fields, "tokens"), real(fields, "seconds"));
        case "sample" -> new Line.Sample(step, text(fields, "prompt"), text(fields, "text"));
        default -> throw wrong("'%s' is no kind of line".formatted(text(fields, "kind")));
      };
    } catch (JacksonException _) {
      throw wrong("not JSON");
    }
  }

  private Map<String, Object> fields(JsonParser json) {
    if (json.nextToken() != JsonToken.START_OBJECT) throw wrong("not a JSON object");
    Map<String, Object> fields = new HashMap<>();
    for (String name = json.nextName(); name != null; name = json.nextName()) {
      Object value =
          switch (json.nextToken()) {
            case VALUE_STRING -> json.getString();
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_NULL -> Double.NaN;
            case null, default -> throw wrong("'%s' is no text or number".formatted(name));
          };
      fields.put(name, value);
    }
    if (json.nextToken() != null) throw wrong("something follows its end");
    return fields;
  }

  private long whole(Map<String, Object> fields, String key) {
    if (fields.get(key) instanceof Long value) return value;
    throw wrong("'%s' is no whole number".formatted(key));
  }

  private double real(Map<String, Object> fields, String key) {
    if (fields.get(key) instanceof Number value) return value.doubleValue();
    throw wrong("'%s' is no number".formatted(key));
  }

  private String text(Map<String, Object> fields, String key) {
    if (fields.get(key) instanceof String value) return value;
    throw wrong("'%s' is no text".formatted(key));
  }

  private TrainException wrong(String what) {
    return new TrainException("%s:%d: %s".formatted(file, number, what));
  }
}
