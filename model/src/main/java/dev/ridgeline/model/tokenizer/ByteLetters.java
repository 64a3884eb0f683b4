package dev.ridgeline.model.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The letters that stand for bytes in byte-level vocabularies: a byte's own character where that
 * can be seen, else the next of those from U+0100 on.
 */
public final class ByteLetters {
  private static final int LETTERS = 0x144;

  private static final char[] LETTER = new char[256];
  private static final short[] BYTE = new short[LETTERS];

  static {
    Arrays.fill(BYTE, (short) -1);
    char next = 0x100;
    for (int b = 0; b < 256; b++) {
      boolean visible = (b > 0x20 && b < 0x7f) || (b > 0xa0 && b != 0xad);
      LETTER[b] = visible ? (char) b : next++;
      BYTE[LETTER[b]] = (short) b;
    }
  }

  private ByteLetters() {}

  /** The letter of a byte. */
  public static char letter(int b) {
    return LETTER[b];
  }

  /** The bytes of a token; one that has other characters too stands for itself. */
  static byte[] bytes(String token) {
    byte[] bytes = new byte[token.length()];
    for (int i = 0; i < bytes.length; i++) {
      char letter = token.charAt(i);
      if (letter >= LETTERS || BYTE[letter] < 0) return token.getBytes(StandardCharsets.UTF_8);
      bytes[i] = (byte) BYTE[letter];
    }
    return bytes;
  }
}
