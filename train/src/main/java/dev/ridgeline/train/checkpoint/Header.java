package dev.ridgeline.train.checkpoint;

import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.data.Position;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * The JSON at the beginning of a checkpoint: small numbers as they are, and which sections of large
 * ones follow.
 *
 * @param losses how many there are; they are the first section, f64, the others are f32
 */
record Header(
    long step, Position position, long[] random, String digest, long losses, List<Tensor> tensors) {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** Larger than any file. */
  private static final long MOST = 1L << 50;

  private static final int MOST_RANDOM = 1 << 16;

  /** A section of f32. */
  record Tensor(String name, long rows, long columns) {
    long bytes() {
      return rows * columns * Float.BYTES;
    }
  }

  static Header of(TrainState state, List<TensorSource> sources) {
    List<Tensor> tensors =
        sources.stream().map(s -> new Tensor(s.name(), s.rows(), s.columns())).toList();
    return new Header(
        state.step(),
        state.position(),
        state.random(),
        state.digest(),
        state.losses().length,
        tensors);
  }

  /** Lengths of all sections, the losses' first. */
  long[] sections() {
    long[] bytes = new long[tensors.size() + 1];
    bytes[0] = losses * Double.BYTES;
    for (int i = 0; i < tensors.size(); i++) bytes[i + 1] = tensors.get(i).bytes();
    return bytes;
  }

  byte[] json() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeNumberProperty("step", step);
      json.writeNumberProperty("epoch", position.epoch());
      json.writeNumberProperty("window", position.window());
      json.writeName("random");
      json.writeArray(random, 0, random.length);
      json.writeStringProperty("digest", digest);
      json.writeNumberProperty("losses", losses);
      json.writeArrayPropertyStart("tensors");
      for (Tensor tensor : tensors) {
        json.writeStartObject();
        json.writeStringProperty("name", tensor.name);
        json.writeNumberProperty("rows", tensor.rows);
        json.writeNumberProperty("columns", tensor.columns);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  static Header read(Path file, byte[] bytes) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      return new Reader(file, json).header();
    } catch (JacksonException e) {
      throw new TrainException(file, "is damaged: its header is no JSON", e);
    }
  }

  /** Reads what {@link #json} writes, and nothing else. */
  private record Reader(Path file, JsonParser json) {
    Header header() {
      expect(json.nextToken() == JsonToken.START_OBJECT);
      long step = number("step", 0, Long.MAX_VALUE);
      long epoch = number("epoch", 0, Long.MAX_VALUE);
      int window = (int) number("window", 0, Integer.MAX_VALUE);
      long[] random = numbers("random");
      String digest = text("digest");
      long losses = number("losses", 0, Integer.MAX_VALUE - 64);
      List<Tensor> tensors = tensors();
      expect(json.nextToken() == JsonToken.END_OBJECT && json.nextToken() == null);
      return new Header(step, new Position(epoch, window), random, digest, losses, tensors);
    }

    private List<Tensor> tensors() {
      name("tensors");
      expect(json.nextToken() == JsonToken.START_ARRAY);
      List<Tensor> tensors = new ArrayList<>();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        String name = text("name");
        long rows = number("rows", 1, MOST);
        long columns = number("columns", 1, MOST / Float.BYTES / rows);
        tensors.add(new Tensor(name, rows, columns));
        expect(json.nextToken() == JsonToken.END_OBJECT);
      }
      expect(json.currentToken() == JsonToken.END_ARRAY);
      return tensors;
    }

    private long[] numbers(String name) {
      name(name);
      expect(json.nextToken() == JsonToken.START_ARRAY);
      long[] numbers = new long[4];
      int count = 0;
      while (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
        expect(count < MOST_RANDOM);
        if (count == numbers.length) numbers = Arrays.copyOf(numbers, count * 2);
        numbers[count++] = json.getLongValue();
      }
      expect(json.currentToken() == JsonToken.END_ARRAY);
      return Arrays.copyOf(numbers, count);
    }

    private long number(String name, long least, long most) {
      name(name);
      expect(json.nextToken() == JsonToken.VALUE_NUMBER_INT);
      long number = json.getLongValue();
      expect(number >= least && number <= most);
      return number;
    }

    private String text(String name) {
      name(name);
      expect(json.nextToken() == JsonToken.VALUE_STRING);
      return json.getString();
    }

    private void name(String name) {
      expect(name.equals(json.nextName()));
    }

    private void expect(boolean as) {
      if (!as) throw new TrainException(file, "is damaged: its header says something else");
    }
  }
}
