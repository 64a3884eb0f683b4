package dev.ridgeline.cli.line;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What was typed, byte by byte: the JVM replaces what is no UTF-8 and does not tell. */
public final class TypedWords {
  private static final String REPLACED = "\uFFFD";
  private static final Path TYPED = Path.of("/proc/self/cmdline");

  private TypedWords() {}

  /** Refuses bytes that would become other texts and other files than were meant. */
  public static void check(String... args) throws IOException {
    if (String.join("", args).contains(REPLACED) && Files.isReadable(TYPED)) {
      check(Files.readAllBytes(TYPED), args);
    }
  }

  /**
   * The same.
   *
   * @param typed every word of the command line, each with a zero behind it, the JVM's own first
   */
  static void check(byte[] typed, String... args) {
    List<ByteBuffer> words = new ArrayList<>();
    for (int from = 0, i = 0; i < typed.length; i++) {
      if (typed[i] != 0) continue;
      words.add(ByteBuffer.wrap(typed, from, i - from));
      from = i + 1;
    }
    int before = words.size() - args.length;
    for (int i = 0; before >= 0 && i < args.length; i++) {
      if (!args[i].contains(REPLACED)) continue; // which may have been typed, too
      try {
        StandardCharsets.UTF_8.newDecoder().decode(words.get(before + i));
      } catch (CharacterCodingException e) {
        throw new Problem("argument %d is not UTF-8: '%s'".formatted(i + 1, args[i]), e);
      }
    }
  }
}
