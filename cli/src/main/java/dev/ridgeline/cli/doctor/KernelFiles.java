package dev.ridgeline.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the kernel tells in files; nothing on systems that have no such files. */
record KernelFiles(Path root) {
  static final KernelFiles HERE = new KernelFiles(Path.of("/"));

  /** A file's text without surrounding space; empty when it is missing, unreadable or blank. */
  Optional<String> text(String path) {
    try {
      return Optional.of(Files.readString(at(path)).strip()).filter(t -> !t.isEmpty());
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** The value of a {@code name : value} line; the first one where there are several. */
  Optional<String> field(String path, String name) {
    return text(path)
        .flatMap(
            text ->
                text.lines()
                    .map(line -> line.split(":", 2))
                    .filter(pair -> pair.length == 2 && pair[0].strip().equals(name))
                    .map(pair -> pair[1].strip())
                    .findFirst());
  }

  Optional<Long> number(String path) {
    return text(path).flatMap(KernelFiles::parse);
  }

  /** Names in a folder, sorted. */
  List<String> names(String folder) {
    try (var files = Files.list(at(folder))) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  boolean exists(String path) {
    return Files.exists(at(path));
  }

  private Path at(String path) {
    return root.resolve(path.substring(1));
  }

  private static Optional<Long> parse(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
