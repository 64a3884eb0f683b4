package dev.ridgeline.train.checkpoint;

import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder that has the last checkpoints of a training, {@code step-000250.checkpoint} and so on.
 *
 * <p>A checkpoint is written under another name, made sure of, and then renamed: a process or
 * machine that stops at any moment leaves the earlier ones as they were. One training at a time
 * uses a folder, from one thread.
 */
public final class Checkpoints implements AutoCloseable {
  private static final Pattern NAME = Pattern.compile("step-(\\d{6,18})\\.checkpoint");
  private static final String UNFINISHED = ".unfinished";
  private static final int BUFFER = 1 << 20;

  private final Path folder;
  private final int keep;
  private final Target.Opener opener;
  private final Arena arena = Arena.ofShared();
  private MemorySegment buffer;

  /**
   * @param folder which need not be there yet
   * @param keep how many of the last ones stay
   */
  public Checkpoints(Path folder, int keep) {
    this(folder, keep, Target::file);
  }

  Checkpoints(Path folder, int keep, Target.Opener opener) {
    if (keep < 1) throw new IllegalArgumentException("%d checkpoints to keep".formatted(keep));
    this.folder = folder;
    this.keep = keep;
    this.opener = opener;
  }

  /**
   * Writes one, then drops the oldest beyond those to keep. When it cannot be written, the earlier
   * ones are as they were and nothing else is left.
   */
  public Path write(TrainState state, List<TensorSource> tensors) {
    Path file = folder.resolve("step-%06d.checkpoint".formatted(state.step()));
    Path unfinished = folder.resolve(file.getFileName() + UNFINISHED);
    try {
      Files.createDirectories(folder);
      try {
        try (Target out = opener.open(unfinished)) {
          new CheckpointWriter(out, buffer(tensors)).write(state, tensors);
          out.force();
        }
        move(unfinished, file);
      } finally {
        Files.deleteIfExists(unfinished); // which is there no more, if all went well
      }
      sync();
    } catch (IOException e) {
      String reason = e.getMessage() == null ? e.toString() : e.getMessage();
      throw new TrainException(file, "cannot be written: " + reason, e);
    }
    prune(state.step());
    return file;
  }

  /** Room for a row at least, made once. */
  private MemorySegment buffer(List<TensorSource> tensors) {
    long longest = BUFFER;
    for (TensorSource tensor : tensors) {
      longest = Math.max(longest, Math.multiplyExact(tensor.columns(), Float.BYTES));
    }
    if (buffer == null || buffer.byteSize() < longest) buffer = arena.allocate(longest, 64);
    return buffer;
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** The new name is on disk, too. */
  private void sync() throws IOException {
    // Where folders cannot be opened, the system does not ask for it.
    if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) return;
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  private void prune(long step) {
    List<Path> older = new ArrayList<>(found().headMap(step, true).values());
    try {
      for (Path file : older.subList(0, Math.max(0, older.size() - keep))) {
        Files.deleteIfExists(file);
      }
      // Of a process that was killed.
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.filter(f -> f.toString().endsWith(UNFINISHED)).toList()) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw TrainException.of(folder, e);
    }
  }

  /**
   * The newest one that is whole, or null where there is none at all.
   *
   * @param warnings is told of each damaged one that was passed over, in a line that names it
   * @throws TrainException where all are damaged
   */
  public Checkpoint newest(Consumer<String> warnings) {
    List<TrainException> damaged = new ArrayList<>();
    for (Path file : found().descendingMap().values()) {
      try {
        Checkpoint whole = Checkpoint.open(file);
        for (TrainException each : damaged) {
          warnings.accept(each.getMessage() + "; an earlier checkpoint is taken");
        }
        return whole;
      } catch (TrainException e) {
        damaged.add(e);
      }
    }
    if (damaged.isEmpty()) return null;
    String others =
        damaged.size() == 1 ? "there is no other" : "nor is any earlier checkpoint whole";
    throw new TrainException(damaged.getFirst().getMessage() + "; " + others);
  }

  /** Whether there is a file that is called like a checkpoint. */
  public boolean isEmpty() {
    return found().isEmpty();
  }

  /** What is called like a checkpoint, by step. */
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

  /** Gives back the buffer; the files stay. */
  @Override
  public void close() {
    arena.close();
  }
}
