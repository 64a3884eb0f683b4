package dev.ridgeline.cli.line;

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
public final class StandardStreams {
  /** The reader of our output went away: nothing is wrong, and nobody is left to tell. */
  public static final class ReaderLeft extends RuntimeException {
    private ReaderLeft(IOException cause) {
      super(cause);
    }
  }

  private StandardStreams() {}

  /** UTF-8 whatever the locale says: a container's is often empty while its terminal is not. */
  public static void bind(Terminal terminal) {
    takeStandardErrorBack();
    System.setOut(
        new PrintStream(
            new BufferedOutputStream(new Strict(FileDescriptor.out), 8192),
            terminal.output(),
            StandardCharsets.UTF_8));
    System.setErr(
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
  }

  /**
   * The launcher lets the JVM start with a filter as standard error, because a notice about the
   * Vector API is printed at every start, and hands the real one over as another descriptor. That
   * goes back to where it belongs, so that from here on nothing is filtered or late, in this
   * process or its children.
   *
   * <p>{@code dup2} through a method of the JDK: through java.lang.foreign it takes 50 ms, a third
   * of a whole start. Should that method go away, the filter stays and passes everything on.
   */
  private static void takeStandardErrorBack() {
    Integer real = Integer.getInteger("ridgeline.stderr");
    if (real == null) return;
    try {
      var descriptor = FileDescriptor.class.getDeclaredConstructor(int.class);
      descriptor.setAccessible(true);
      var dup2 =
          Class.forName("sun.nio.ch.DatagramDispatcher")
              .getDeclaredMethod("dup0", FileDescriptor.class, FileDescriptor.class);
      dup2.setAccessible(true);
      dup2.invoke(null, descriptor.newInstance(real), FileDescriptor.err);
    } catch (ReflectiveOperationException | RuntimeException e) {
      System.setProperty("ridgeline.stderr", "filtered: " + e);
    }
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
