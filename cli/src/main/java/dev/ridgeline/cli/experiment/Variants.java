package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.quant.FileType;
import dev.ridgeline.tensor.quant.Requantizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A model in other types, each a file in the cache: by name where it has one, else quantized from
 * its file.
 */
record Variants(Settings settings, ModelName source, Progress progress) {
  /** The file of a type, made if it is not there. */
  Path file(TensorType type) {
    return switch (source) {
      case ModelName.Known it -> resolve(new ModelName.Known(it.model(), type));
      case ModelName.Synthetic it -> resolve(new ModelName.Synthetic(it.shape(), type));
      case ModelName.OnDisk _, ModelName.OnHub _ -> quantized(resolve(source), type);
    };
  }

  private Path resolve(ModelName name) {
    return ModelOptions.models(settings).resolve(name, progress);
  }

  /** Whether the file that all types are made of is itself quantized: null where it is not. */
  TensorType rounded() {
    if (source instanceof ModelName.Known || source instanceof ModelName.Synthetic) return null;
    try (Gguf file = Gguf.open(resolve(source))) {
      return file.tensors().stream()
          .map(tensor -> tensor.type())
          .filter(TensorType::quantized)
          .findFirst()
          .orElse(null);
    }
  }

  private Path quantized(Path from, TensorType type) {
    Path folder = ModelOptions.cache(settings).folder().resolve("variants");
    try (Gguf file = Gguf.open(from)) {
      // Size and time tell a file that was replaced by another of its name.
      String key =
          "%s-%x-%x.%s.gguf"
              .formatted(
                  from.getFileName().toString().replaceFirst("\\.gguf$", ""),
                  Files.size(from),
                  Files.getLastModifiedTime(from).toMillis(),
                  type.word());
      Path to = folder.resolve(key);
      if (Files.isRegularFile(to)) return to;
      progress.step("quantizing %s to %s".formatted(from.getFileName(), type.word()));
      Files.createDirectories(folder);
      Requantizer.quantize(file, FileType.of(type), to, Workers.of(Workers.cpus()), _ -> {});
      return to;
    } catch (IOException e) {
      throw FileException.of(from, e);
    }
  }
}
