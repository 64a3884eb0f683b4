package dev.ridgeline.train.loop;

import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.ModelConfig;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.data.DataFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The folder of a training, locked while it runs. */
final class TrainFolder implements AutoCloseable {
  private static final String LOCK = ".lock";

  private final Path path;
  private final TrainConfig config;
  private FileChannel lock;

  TrainFolder(Path path, TrainConfig config) {
    this.path = path;
    this.config = config;
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new TrainException(path, "not a directory");
    }
  }

  Path path() {
    return path;
  }

  Path journal() {
    return path.resolve("journal.jsonl");
  }

  Path model() {
    return path.resolve(config.name() + ".gguf");
  }

  Path page() {
    return path.resolve("report.html");
  }

  Path checkpoints() {
    return path.resolve("checkpoints");
  }

  /** Refuses a folder in which an input would be overwritten. */
  void spareInputs() {
    List<Path> inputs = new ArrayList<>(DataFiles.find(config.folder(), config.data().files()));
    if (config.model() instanceof ModelConfig.Continued it) inputs.add(config.resolve(it.file()));
    for (Path output : List.of(model(), journal(), page())) {
      for (Path input : inputs) {
        if (same(input, output)) {
          throw new TrainException(
              output, "is an input and would be overwritten: choose another folder");
        }
      }
    }
  }

  private static boolean same(Path one, Path other) {
    try {
      return Files.exists(other) && Files.isSameFile(one, other);
    } catch (IOException e) {
      return false; // the reader of that file reports it
    }
  }

  /** Locks the folder until it is closed, and deletes what a killed training left half written. */
  void claim() {
    try {
      Files.createDirectories(path);
      lock =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locked()) throw new TrainException(path, "another training is running in it");
      try (Stream<Path> files = Files.list(path)) {
        for (Path file : files.filter(this::unfinished).toList()) Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw TrainException.of(path, e);
    }
  }

  private boolean locked() throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false; // by this process
    }
  }

  private boolean unfinished(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith(".tmp-") && name.endsWith("-" + config.name() + ".gguf");
  }

  @Override
  public void close() {
    try {
      if (lock != null) lock.close();
    } catch (IOException e) {
      throw TrainException.of(path, e);
    }
  }
}
