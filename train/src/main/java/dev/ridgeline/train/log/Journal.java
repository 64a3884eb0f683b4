package dev.ridgeline.train.log;

import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Appends a line of JSON for each step, evaluation and sample; each line is in the file when the
 * call returns, so that a killed process loses none.
 *
 * <p>Numbers are written so that they read back as the same bits. A step allocates nothing. Write a
 * step's lines before its checkpoint: when training goes on from there, all lines of later steps
 * are dropped. Not safe for use by several threads.
 */
public final class Journal implements AutoCloseable {
  private final Path file;
  private final FileChannel channel;
  private final StringBuilder line = new StringBuilder(512);
  private ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 10);

  private Journal(Path file, StandardOpenOption... how) {
    this.file = file;
    // Opening a pipe would wait for its reader, perhaps for ever.
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new TrainException(file, "not a file");
    }
    try {
      channel = FileChannel.open(file, how);
    } catch (IOException e) {
      throw TrainException.of(file, e);
    }
  }

  /** Creates an empty one, or empties an existing one. */
  public static Journal create(Path file) {
    return new Journal(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING);
  }

  /**
   * Continues one, without the lines of later steps and without an incomplete last line.
   *
   * @param warnings gets a line for each unreadable line, which is dropped, too
   */
  public static Journal resume(Path file, long step, Consumer<String> warnings) {
    Journal journal =
        new Journal(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      byte[] all = Files.readAllBytes(file);
      byte[] kept = JournalReader.upTo(file, all, step, warnings);
      // Lines come in the order of their steps: what stays is a beginning, unless a line is out of
      // order, and then the file is rewritten.
      boolean beginning = Arrays.equals(kept, 0, kept.length, all, 0, kept.length);
      if (!beginning) journal.append(ByteBuffer.wrap(kept), 0);
      journal.channel.truncate(kept.length);
      journal.channel.position(kept.length);
      return journal;
    } catch (IOException | TrainException e) {
      journal.close();
      throw e instanceof IOException io ? TrainException.of(file, io) : (TrainException) e;
    }
  }

  /** Writes a step; see {@link Line.Step}. */
  public void step(
      long step,
      double loss,
      double rate,
      double norm,
      double tokensPerSecond,
      double seconds,
      long memory) {
    begin("step", step);
    number("loss", loss);
    number("rate", rate);
    number("norm", norm);
    number("tokensPerSecond", tokensPerSecond);
    number("seconds", seconds);
    line.append(",\"memory\":").append(memory);
    end();
  }

  /** Writes an evaluation; see {@link Line.Evaluation}. */
  public void evaluation(long step, double loss, long tokens, double seconds) {
    begin("evaluation", step);
    number("loss", loss);
    line.append(",\"tokens\":").append(tokens);
    number("seconds", seconds);
    end();
  }

  /** Writes a sample; see {@link Line.Sample}. */
  public void sample(long step, String prompt, String text) {
    begin("sample", step);
    text("prompt", prompt);
    text("text", text);
    end();
  }

  private void begin(String kind, long step) {
    line.setLength(0);
    line.append("{\"kind\":\"").append(kind).append("\",\"step\":").append(step);
  }

  private void number(String key, double value) {
    line.append(",\"").append(key).append("\":");
    if (Double.isFinite(value)) line.append(value);
    else line.append("null"); // JSON has no NaN
  }

  /** Only ASCII, so that a character is a byte and a lone surrogate reads back unchanged. */
  private void text(String key, String text) {
    line.append(",\"").append(key).append("\":\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') line.append('\\').append(c);
      else if (c == '\n') line.append("\\n");
      else if (c >= ' ' && c < 0x7f) line.append(c);
      else escape(c);
    }
    line.append('"');
  }

  private void escape(char c) {
    line.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      line.append(Character.forDigit(c >> shift & 0xf, 16));
    }
  }

  private void end() {
    line.append("}\n");
    if (line.length() > bytes.capacity()) bytes = ByteBuffer.allocateDirect(2 * line.length());
    bytes.clear();
    for (int i = 0; i < line.length(); i++) bytes.put((byte) line.charAt(i));
    try {
      append(bytes.flip(), channel.position());
    } catch (IOException e) {
      throw TrainException.of(file, e);
    }
  }

  /** All of it or, when the disk is full, nothing. */
  private void append(ByteBuffer from, long at) throws IOException {
    try {
      channel.position(at);
      while (from.hasRemaining()) channel.write(from);
    } catch (IOException e) {
      channel.truncate(at);
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw TrainException.of(file, e);
    }
  }
}
