package dev.ridgeline.train.checkpoint;

import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.data.Position;
import dev.ridgeline.train.json.Fields;
import dev.ridgeline.train.json.Json;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The JSON at the start of a checkpoint: the state except its large arrays, and the sections that
 * hold those.
 *
 * @param losses how many there are: the first section, as f64; the other sections are f32
 */
record Header(long step, Position position, String digest, long losses, List<Tensor> tensors) {
  private static final JsonFactory JSON = new JsonFactory();

  /** Larger than any file. */
  private static final long MOST = 1L << 50;

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
        state.step(), state.position(), state.digest(), state.losses().length, tensors);
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
    try {
      Fields fields = Json.read(file, bytes);
      return new Header(
          number(fields, "step", 0, Long.MAX_VALUE),
          new Position(
              number(fields, "epoch", 0, Long.MAX_VALUE),
              (int) number(fields, "window", 0, Integer.MAX_VALUE)),
          fields.text("digest"),
          number(fields, "losses", 0, Integer.MAX_VALUE - 64),
          fields.objects("tensors").stream().map(Header::tensor).toList());
    } catch (TrainException e) {
      throw new TrainException(file, "is damaged: its header cannot be read", e);
    }
  }

  private static Tensor tensor(Fields fields) {
    long rows = number(fields, "rows", 1, MOST);
    long columns = number(fields, "columns", 1, MOST / Float.BYTES / rows);
    return new Tensor(fields.text("name"), rows, columns);
  }

  private static long number(Fields fields, String key, long least, long most) {
    long number = fields.whole(key);
    if (number >= least && number <= most) return number;
    throw fields.fail(key, "%d is out of range".formatted(number));
  }
}
