package dev.ridgeline.lab.imports;

import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.run.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What a file of another tool holds: the JSON of {@code llama-bench -o json} or {@code jsonl}, of
 * JMH's {@code -rf json}, or of hyperfine's {@code --export-json}.
 *
 * @param tool that measured
 * @param runs one for each result
 */
public record Measurements(String tool, List<Run> runs) {
  private static final long MOST_BYTES = 256L << 20;

  private static final List<Tool> TOOLS = List.of(new LlamaBench(), new Jmh(), new Hyperfine());

  public Measurements {
    runs = List.copyOf(runs);
  }

  /** A tool whose files can be read. */
  interface Tool {
    /** What it is called; also the name of its runs. */
    String name();

    /** Whether an object of a file looks like one of its. */
    boolean wrote(JsonObject object);

    /**
     * The runs of an object.
     *
     * @param moment when the file was written, for tools that do not tell when they measured
     */
    List<Run> runs(JsonObject object, Instant moment);
  }

  /** Reads a file; a {@link FileException} says in one line why it cannot be. */
  public static Measurements read(Path file) {
    List<JsonObject> objects = Json.foreign(file, "file of measurements", MOST_BYTES);
    for (Tool tool : TOOLS) {
      if (objects.isEmpty() || !tool.wrote(objects.getFirst())) continue;
      Instant moment = moment(file);
      List<Run> runs = new ArrayList<>();
      for (JsonObject object : objects) {
        if (!tool.wrote(object)) {
          throw object.fail("", "not of " + tool.name() + ", as what stands before it");
        }
        runs.addAll(tool.runs(object, moment));
      }
      if (runs.isEmpty()) throw new FileException(file, "holds no result");
      return new Measurements(tool.name(), runs);
    }
    throw new FileException(
        file, "holds no measurements of llama-bench (-o json), JMH (-rf json) or hyperfine");
  }

  /** When a file was last written, to the second. */
  private static Instant moment(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant().truncatedTo(ChronoUnit.SECONDS);
    } catch (IOException e) {
      throw FileException.of(file, e);
    }
  }
}
