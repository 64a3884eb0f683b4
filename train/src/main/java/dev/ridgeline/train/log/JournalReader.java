package dev.ridgeline.train.log;

import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.json.Fields;
import dev.ridgeline.train.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads what a {@link Journal} has written. An incomplete last line, left by a process that was
 * killed, is skipped; any other error is a {@link TrainException} that names file and line.
 */
public final class JournalReader {
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

  /** The lines of a file up to a step, as they are written, except those that cannot be read. */
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

  /** Goes to the next complete line. */
  private boolean next() {
    from = number == 0 ? 0 : to + 1;
    number++;
    for (to = from; to < bytes.length; to++) if (bytes[to] == '\n') return true;
    return false;
  }

  private Line line() {
    Fields line = Json.read(file, number, bytes, from, to - from);
    long step = line.whole("step");
    return switch (line.text("kind")) {
      case "step" ->
          new Line.Step(
              step,
              line.realOrNull("loss"),
              line.realOrNull("rate"),
              line.realOrNull("norm"),
              line.realOrNull("tokensPerSecond"),
              line.realOrNull("seconds"),
              line.whole("memory"));
      case "evaluation" ->
          new Line.Evaluation(
              step, line.realOrNull("loss"), line.whole("tokens"), line.realOrNull("seconds"));
      case "sample" -> new Line.Sample(step, line.text("prompt"), line.text("text"));
      default -> throw line.fail("kind", "'%s' is unknown".formatted(line.text("kind")));
    };
  }
}
