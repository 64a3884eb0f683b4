package dev.ridgeline.model;

import dev.ridgeline.model.imports.ModelImport;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A real model, out of a jar of the test's class path.
 *
 * @param name of its files
 * @param pooling as its authors say
 */
record RealModel(String name, Pooling pooling) {
  static final RealModel MINILM = new RealModel("all-minilm-l6-v2", Pooling.MEAN);
  static final RealModel BGE = new RealModel("bge-small-en-v1.5", Pooling.CLS);
  static final RealModel E5 = new RealModel("e5-small-v2", Pooling.MEAN);

  private static final Path FOLDER = Path.of("target", "models");

  /** Its ONNX file, unpacked. */
  Path onnx() {
    return unpacked(name + ".onnx");
  }

  /** Converted by our own importer. */
  Path gguf(TensorType type) {
    Path gguf = FOLDER.resolve(name + "-" + type.word() + ".gguf");
    var options = new ModelImport.Options(name, pooling, 12, unpacked(name + "-tokenizer.json"));
    if (!Files.exists(gguf)) {
      try (var model = ModelImport.open(onnx(), options)) {
        model.write(gguf, type, _ -> {});
      }
    }
    return gguf;
  }

  private static Path unpacked(String file) {
    Path path = FOLDER.resolve(file);
    if (Files.exists(path)) return path;
    try (InputStream in = RealModel.class.getResourceAsStream("/" + file)) {
      Files.createDirectories(FOLDER);
      Path part = FOLDER.resolve(file + ".part");
      Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
      return Files.move(part, path);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
