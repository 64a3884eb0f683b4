package dev.ridgeline.model.imports;

import dev.ridgeline.model.json.Json;
import dev.ridgeline.model.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The JSON and the text beside a model: config, tokenizer, header of safetensors. */
final class JsonFile {
  private JsonFile() {}

  static JsonValue read(Path path) {
    ImportException.refuseAllButFiles(path);
    try (InputStream in = Files.newInputStream(path)) {
      return read(path, in);
    } catch (IOException e) {
      throw ImportException.of(path, e);
    }
  }

  /** The JSON in some bytes of a file. */
  static JsonValue read(Path path, byte[] bytes) {
    return read(path, new ByteArrayInputStream(bytes));
  }

  static JsonValue read(Path path, InputStream in) {
    try {
      return Json.read(path, in, ImportException::new);
    } catch (IOException e) {
      throw ImportException.of(path, e);
    }
  }

  /** The text of a file that is no JSON. */
  static String text(Path path, int longest) {
    try {
      long size = Files.size(path);
      if (size > longest) throw new ImportException(path, "is too large: %,d".formatted(size));
      return Files.readString(path);
    } catch (IOException e) {
      throw ImportException.of(path, e);
    }
  }
}
