package dev.ridgeline.bench.kernels;

import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.run.Machine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** What a benchmark found, for readers and for programs. */
final class Results {
  private Results() {}

  static String heading(Options options) {
    return "%s · %s · median (range) of %s"
        .formatted(
            Machine.here().line(),
            Instant.now().truncatedTo(ChronoUnit.MINUTES),
            options.quick()
                ? "a quick trial: the figures mean nothing"
                : options.rounds() + " rounds");
  }

  /** Writes every round to the file that was asked for, if any. */
  static void write(Options options, String heading, List<Figure> figures) {
    Path file = options.json();
    if (file == null) return;
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (OutputStream out = Files.newOutputStream(part);
          JsonGenerator to = Json.indented(out)) {
        to.writeStartObject();
        to.writeStringProperty("heading", heading);
        to.writeBooleanProperty("quick", options.quick());
        to.writeArrayPropertyStart("figures");
        for (Figure figure : figures) figure.write(to);
        to.writeEndArray();
        to.writeEndObject();
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
