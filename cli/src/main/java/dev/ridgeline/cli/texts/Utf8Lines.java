package dev.ridgeline.cli.texts;

import dev.ridgeline.report.Quantity;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Lines of UTF-8. Each is decoded by itself, so that bytes that are not UTF-8 are known by their
 * line; a decoder of the whole would have read ahead. They are refused, not replaced: they would
 * become other vectors.
 */
final class Utf8Lines implements AutoCloseable {
  private static final int LONGEST = 64 << 20;

  private final InputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean carriageReturn;
  private long bytes;

  Utf8Lines(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
  }

  /**
   * The next line without its end, or null; like a reader's, a line ends with LF, CR or both.
   *
   * @throws CharacterCodingException if it is not UTF-8
   */
  String next() throws IOException {
    line.reset();
    for (int next = in.read(); next >= 0; next = in.read()) {
      bytes++;
      boolean ended = next == '\r' || next == '\n' && !carriageReturn;
      boolean rest = next == '\n' && carriageReturn;
      carriageReturn = next == '\r';
      if (ended) return decoded();
      if (!rest) line.write(next);
      if (line.size() > LONGEST) {
        throw new IOException("a line of more than " + Quantity.bytes(LONGEST));
      }
    }
    return line.size() == 0 ? null : decoded();
  }

  private String decoded() throws CharacterCodingException {
    ByteBuffer encoded = ByteBuffer.wrap(line.toByteArray());
    return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
  }

  /** Taken so far. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
