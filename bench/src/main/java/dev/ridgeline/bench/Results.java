package dev.ridgeline.bench;

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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** What a benchmark found, for readers and for programs. */
public final class Results {
  private Results() {}

  /** Machine, moment and how often; what else is to be known comes after the machine. */
  public static String heading(Options options, String... besides) {
    var parts = new ArrayList<String>();
    parts.add(Machine.here().line());
    parts.addAll(List.of(besides));
    if (Options.forcedTier() != null) parts.add("tier " + Options.forcedTier());
    parts.add(Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
    String often =
        options.quick() ? "a quick trial: the figures mean nothing" : options.rounds() + " rounds";
    parts.add("median (range) of " + often);
    return String.join(" · ", parts);
  }

  /**
   * Writes every round to the file that was asked for, if any.
   *
   * @param name of the array of figures
   * @param figures writes them
   */
  public static void write(
      Options options, String heading, String name, Consumer<JsonGenerator> figures) {
    Path file = options.json();
    if (file == null) return;
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (OutputStream out = Files.newOutputStream(part);
          JsonGenerator to = Json.indented(out)) {
        to.writeStartObject();
        to.writeStringProperty("heading", heading);
        to.writeBooleanProperty("quick", options.quick());
        to.writeArrayPropertyStart(name);
        figures.accept(to);
        to.writeEndArray();
        to.writeEndObject();
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One array of numbers. */
  public static void array(String name, double[] values, JsonGenerator json) {
    json.writeArrayPropertyStart(name);
    for (double value : values) json.writeNumber(value);
    json.writeEndArray();
  }
}
