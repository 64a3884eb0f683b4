package dev.ridgeline.train.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is being written. */
interface Target extends AutoCloseable {
  void write(ByteBuffer bytes) throws IOException;

  /** Returns when the disk has all of it. */
  void force() throws IOException;

  @Override
  void close() throws IOException;

  /** Opens a file for writing. */
  @FunctionalInterface
  interface Opener {
    Target open(Path file) throws IOException;
  }

  /** A file on disk. */
  record OnDisk(FileChannel channel) implements Target {
    static OnDisk open(Path file) throws IOException {
      return new OnDisk(
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING));
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) channel.write(bytes);
    }

    @Override
    public void force() throws IOException {
      channel.force(true);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
