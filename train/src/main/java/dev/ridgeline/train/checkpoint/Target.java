package dev.ridgeline.train.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is being written and can be made sure of. */
interface Target extends WritableByteChannel {
  /** Returns when the disk has all of it. */
  void force() throws IOException;

  /** How a file is begun. */
  @FunctionalInterface
  interface Opener {
    Target open(Path file) throws IOException;
  }

  /** A file on disk. */
  static Target file(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
    return new Target() {
      @Override
      public void force() throws IOException {
        channel.force(true);
      }

      @Override
      public int write(ByteBuffer bytes) throws IOException {
        return channel.write(bytes);
      }

      @Override
      public boolean isOpen() {
        return channel.isOpen();
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
