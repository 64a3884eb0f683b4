package dev.ridgeline.model.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The right to write one thing, against other threads and other processes. The system gives it back
 * when a process ends, however it ends; the empty file stays, because deleting it would let two in.
 */
final class Lock implements AutoCloseable {
  /** A file lock belongs to a whole process: threads need one of their own. */
  private static final Map<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

  private final ReentrantLock thread;
  private final FileChannel channel;

  private Lock(ReentrantLock thread, FileChannel channel) {
    this.thread = thread;
    this.channel = channel;
  }

  /**
   * Waits until nobody else has it.
   *
   * @param waiting told once, when somebody has
   */
  static Lock take(Path file, Runnable waiting) throws IOException {
    Files.createDirectories(file.getParent());
    ReentrantLock thread =
        THREADS.computeIfAbsent(file.toAbsolutePath().normalize(), _ -> new ReentrantLock());
    if (!thread.tryLock()) {
      waiting.run();
      await(thread);
    }
    FileChannel channel = null;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        waiting.run();
        channel.lock();
      }
      return new Lock(thread, channel);
    } catch (IOException | RuntimeException e) {
      thread.unlock();
      if (channel != null) channel.close();
      throw e;
    }
  }

  private static void await(ReentrantLock thread) throws IOException {
    try {
      thread.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while another thread makes this model");
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      thread.unlock();
    }
  }
}
