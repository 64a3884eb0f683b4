package dev.ridgeline.cli.imports;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * Held by one process at a time, and by one thread of it; the system lets go of it for one that was
 * killed. Where no file can be locked nobody waits.
 */
final class FolderLock implements AutoCloseable {
  private static final long AGAIN_NANOS = 5_000_000;

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Waits for it. */
  static FolderLock of(Path file) {
    FileChannel channel = null;
    try {
      Files.createDirectories(file.getParent());
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      while (lock(channel) == null) LockSupport.parkNanos(AGAIN_NANOS);
    } catch (IOException _) {
      // A folder that cannot be written refuses the runs as well; some systems have no locks.
    }
    return new FolderLock(channel);
  }

  private static FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.lock();
    } catch (OverlappingFileLockException _) {
      return null; // another thread's
    }
  }

  @Override
  public void close() {
    try {
      if (channel != null) channel.close();
    } catch (IOException _) {
      // The lock ends with the process.
    }
  }
}
