package dev.ridgeline.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard output that does not swallow failures, as a {@link PrintStream} otherwise does: a full
 * disk is a {@link Problem}, and a reader that went away ({@code … | head}) ends the command.
 */
final class StandardStreams {
  /** The reader of our output went away: nothing is wrong, and nobody is left to tell. */
  static final class ReaderLeft extends RuntimeException {
    private ReaderLeft(IOException cause) {
      super(cause);
    }
  }

  private StandardStreams() {}

  /** UTF-8 whatever the locale says: a container's is often empty while its terminal is not. */
  static void bind(Terminal terminal) {
    System.setOut(
        new PrintStream(
            new BufferedOutputStream(new Strict(FileDescriptor.out), 8192),
            terminal.output(),
            StandardCharsets.UTF_8));
    System.setErr(
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
  }

  private static final class Strict extends OutputStream {
    private final FileOutputStream file;

    Strict(FileDescriptor descriptor) {
      file = new FileOutputStream(descriptor);
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      try {
        file.write(bytes, offset, length);
      } catch (IOException e) {
        String why = String.valueOf(e.getMessage());
        if (why.contains("Broken pipe")) throw new ReaderLeft(e);
        throw new Problem("cannot write to standard output: " + why, e);
      }
    }
  }
}
