package dev.ridgeline.cli.texts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class Utf8LinesTest {
  private static final String GOOD = "a\né\r\n😀\r한\n\r\n\u07ff\u0800\uffff";

  @Test
  void linesAreThoseOfAReader() throws IOException {
    Utf8Lines lines = new Utf8Lines(new ByteArrayInputStream(GOOD.getBytes(UTF_8)));
    for (String line : GOOD.lines().toList()) assertThat(lines.next()).isEqualTo(line);
    assertThat(lines.next()).isNull();
    assertThat(lines.bytes()).isEqualTo(GOOD.getBytes(UTF_8).length);
  }

  @Test
  void itStopsWhereTheDecoderDoes() {
    for (int seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = (GOOD + "\nmore\n").getBytes(UTF_8);
      bytes[random.nextInt(bytes.length - 6)] = (byte) random.nextInt(256);
      assertThat(line(bytes)).as("seed %d", seed).isEqualTo(lineOfDecoder(bytes));
    }
  }

  /** The line after the last that was read. */
  private static long line(byte[] bytes) {
    Utf8Lines lines = new Utf8Lines(new ByteArrayInputStream(bytes));
    long read = 0;
    try {
      while (lines.next() != null) read++;
    } catch (CharacterCodingException _) {
      // The line that is asked for.
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return read + 1;
  }

  /** The line that the longest prefix that decodes ends in. */
  private static long lineOfDecoder(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    UTF_8.newDecoder().decode(in, CharBuffer.allocate(bytes.length), true);
    String decoded = text(bytes, in.position());
    return (decoded + "x").lines().count();
  }

  private static String text(byte[] bytes, int length) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError(e);
    }
  }
}
