package dev.ridgeline.report.run;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.file.ProfileJson;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A run that is still being written, under a temporary name; {@link #commit} gives it its own in
 * one step, and a draft that is closed or killed before that was never a run.
 */
public final class RunDraft implements AutoCloseable {
  /** Held while the draft lives, so that others can tell it from one whose process is gone. */
  static final String LOCK = ".lock";

  private final Path folder;
  private final Path directory;
  private final String name;
  private final FileChannel lock;
  private boolean open = true;

  RunDraft(Path folder, Path directory, String name) throws IOException {
    this.folder = folder;
    this.directory = directory;
    this.name = name;
    Files.createDirectory(directory);
    this.lock =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    lock.tryLock();
  }

  /** Where files may be written until {@link #commit}; they move along. */
  public Path path() {
    return directory;
  }

  /** Adds {@code run.json}. */
  public void write(Run run) {
    write(RunDirectory.RUN, out -> RunJson.write(run, out));
  }

  /** Adds {@code profile.json}. */
  public void write(Profile profile) {
    write(RunDirectory.PROFILE, out -> ProfileJson.write(profile, out));
  }

  /** Adds a file. */
  public void write(String file, WholeFile.Content content) {
    WholeFile.write(directory.resolve(file), content);
  }

  /** Makes it a run. Two that began in the same second get different names, across processes. */
  public RunDirectory commit() {
    if (!Files.exists(directory.resolve(RunDirectory.RUN))) {
      throw new IllegalStateException("a run needs its " + RunDirectory.RUN);
    }
    try {
      // Without its lock file nobody takes it for one that was left behind.
      Files.delete(directory.resolve(LOCK));
      lock.close();
      RunDirectory run = rename(directory, folder, name);
      open = false;
      return run;
    } catch (IOException e) {
      throw FileException.of(folder.resolve(name), e);
    }
  }

  /** Gives a directory its name, or with a number after it the next that is free. */
  static RunDirectory rename(Path directory, Path folder, String name) throws IOException {
    for (int n = 1; ; n++) {
      Path target = folder.resolve(n == 1 ? name : name + "-" + n);
      try {
        // A rename onto a directory that is not empty fails, so no run replaces another.
        Files.move(directory, target, StandardCopyOption.ATOMIC_MOVE);
        return new RunDirectory(target);
      } catch (FileSystemException e) {
        if (!Files.exists(target)) throw e;
      }
    }
  }

  /** Throws the draft away unless it was committed. */
  @Override
  public void close() {
    if (!open) return;
    open = false;
    try {
      lock.close();
    } catch (IOException _) {
      // A lock that cannot be released ends with the process.
    }
    Runs.delete(directory);
  }
}
