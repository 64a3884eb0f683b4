package dev.ridgeline.train.checkpoint;

import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder with the last checkpoints of a training, {@code step-000250.checkpoint} and so on.
 * {@link CheckpointWriter} writes each whole or not at all. One training at a time uses a folder,
 * from one thread.
 */
public final class Checkpoints implements AutoCloseable {
  private static final Pattern NAME = Pattern.compile("step-(\\d{6,18})\\.checkpoint");

  private final Path folder;
  private final int keep;
  private final CheckpointWriter writer;

  /**
   * @param folder need not exist yet
   * @param keep how many of the last ones stay
   */
  public Checkpoints(Path folder, int keep) {
    this(folder, keep, Target.OnDisk::open);
  }

  Checkpoints(Path folder, int keep, Target.Opener opener) {
    if (keep < 1) throw new IllegalArgumentException("%d checkpoints to keep".formatted(keep));
    this.folder = folder;
    this.keep = keep;
    this.writer = new CheckpointWriter(opener);
  }

  /**
   * Writes one, then deletes the oldest beyond those to keep. If writing fails, the earlier ones
   * are unchanged and nothing else is left.
   */
  public Path write(TrainState state, List<TensorSource> tensors) {
    Path file = folder.resolve("step-%06d.checkpoint".formatted(state.step()));
    try {
      writer.write(file, state, tensors);
    } catch (IOException e) {
      String reason = e.getMessage() == null ? e.toString() : e.getMessage();
      throw new TrainException(file, "cannot be written: " + reason, e);
    }
    prune(state.step());
    return file;
  }

  private void prune(long step) {
    List<Path> older = new ArrayList<>(found().headMap(step, true).values());
    try {
      for (Path file : older.subList(0, Math.max(0, older.size() - keep))) {
        Files.deleteIfExists(file);
      }
      // Left by a process that was killed.
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file :
            files.filter(f -> f.toString().endsWith(CheckpointWriter.UNFINISHED)).toList()) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw TrainException.of(folder, e);
    }
  }

  /**
   * The newest intact one, or null if there is none at all.
   *
   * @param warnings gets a line for each damaged one that was skipped
   * @throws TrainException if all are damaged
   */
  public Checkpoint newest(Consumer<String> warnings) {
    List<TrainException> damaged = new ArrayList<>();
    for (Path file : found().descendingMap().values()) {
      try {
        Checkpoint whole = Checkpoint.open(file);
        for (TrainException each : damaged) {
          warnings.accept(each.getMessage() + "; using an earlier checkpoint");
        }
        return whole;
      } catch (TrainException e) {
        damaged.add(e);
      }
    }
    if (damaged.isEmpty()) return null;
    String others = damaged.size() == 1 ? "there is no other" : "the earlier ones are damaged, too";
    throw new TrainException(damaged.getFirst().getMessage() + "; " + others);
  }

  /** Whether no file has the name of a checkpoint. */
  public boolean isEmpty() {
    return found().isEmpty();
  }

  /** Files with the name of a checkpoint, by step. */
  private TreeMap<Long, Path> found() {
    TreeMap<Long, Path> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) found.put(Long.parseLong(name.group(1)), file);
      }
    } catch (NoSuchFileException _) {
      return found;
    } catch (IOException e) {
      throw TrainException.of(folder, e);
    }
    return found;
  }

  @Override
  public void close() {
    writer.close();
  }
}
