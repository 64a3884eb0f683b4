package dev.ridgeline.model.tokenizer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What BERT's normalizer makes of each character, as the tokenizers of Hugging Face do it.
 *
 * <p>Those are built of three Unicode versions, the oldest of 2015, and the models were trained
 * with that; a JDK knows another one and each JDK its own: with JDK 25, 631 assigned characters are
 * classed or taken apart otherwise. So nothing here asks {@link Character}: the resource {@code
 * characters.txt} has the facts about all of them, and a test asks the original again.
 */
final class Characters {
  static final int LETTER = 0;

  /** Control characters and their like: gone before anything else is looked at. */
  static final int DROP = 1;

  static final int SPACE = 2;
  static final int PUNCTUATION = 3;

  /** A word of its own. */
  static final int IDEOGRAPH = 4;

  /** An accent that stripping removes. */
  static final int MARK = 5;

  /** The same, but what stands on both sides of it may not change places. */
  static final int BLOCKER = 6;

  /** The lowest of the letters that canonical order sorts; greater is later. */
  static final int RANKED = 7;

  /** The bits above are one of the kinds; these may be added. */
  static final int KIND = 0x0f;

  static final int HAS_LOWER = 0x10;
  static final int HAS_STRIPPED = 0x20;

  private static final int PAGE = 256;
  private static final byte[] LETTERS = new byte[PAGE];

  private static final Characters FACTS = read();

  private final byte[][] pages = new byte[(Character.MAX_CODE_POINT + 1) / PAGE][];
  private final CharacterMap lower = new CharacterMap();
  private final CharacterMap stripped = new CharacterMap();

  private Characters() {
    Arrays.fill(pages, LETTERS);
  }

  static Characters facts() {
    return FACTS;
  }

  /** One of the kinds, and the bits that say whether the maps know the character. */
  int kind(int character) {
    return pages[character >>> 8][character & 0xff];
  }

  /** Lower case, of those with {@link #HAS_LOWER}. */
  CharacterMap lower() {
    return lower;
  }

  /** Taken apart and freed of accents, of those with {@link #HAS_STRIPPED}. */
  CharacterMap stripped() {
    return stripped;
  }

  private static Characters read() {
    Characters characters = new Characters();
    try (InputStream in = Characters.class.getResourceAsStream("characters.txt")) {
      int rank = RANKED;
      for (String line : new String(in.readAllBytes(), StandardCharsets.US_ASCII).split("\n")) {
        Facts facts = new Facts(line);
        switch (facts.name()) {
          case "drop" -> characters.mark(facts, DROP);
          case "space" -> characters.mark(facts, SPACE);
          case "punctuation" -> characters.mark(facts, PUNCTUATION);
          case "ideograph" -> characters.mark(facts, IDEOGRAPH);
          case "mark" -> characters.mark(facts, MARK);
          case "blocker" -> characters.mark(facts, BLOCKER);
          case "rank" -> characters.mark(facts, rank++);
          case "lower" -> characters.map(facts, characters.lower, HAS_LOWER);
          case "strip" -> characters.map(facts, characters.stripped, HAS_STRIPPED);
          default -> {}
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return characters;
  }

  private void mark(Facts facts, int kind) {
    while (facts.next()) {
      for (int c = facts.from; c <= facts.to; c++) {
        byte[] page = page(c);
        page[c & 0xff] = (byte) (page[c & 0xff] & ~KIND | kind);
      }
    }
  }

  private void map(Facts facts, CharacterMap map, int bit) {
    while (facts.next()) {
      for (int c = facts.from; c <= facts.to; c++) {
        page(c)[c & 0xff] |= (byte) bit;
        if (facts.second < 0) map.put(c, facts.first + c - facts.from);
        else if (facts.third < 0) map.put(c, facts.first, facts.second);
        else map.put(c, facts.first, facts.second, facts.third);
      }
    }
  }

  private byte[] page(int character) {
    int index = character >>> 8;
    if (pages[index] == LETTERS) pages[index] = new byte[PAGE];
    return pages[index];
  }

  /**
   * A line of the resource, read without garbage because it is read at each start: a name, then
   * {@code 41-5a>61} or {@code 1f1>44+5a}, all of it hexadecimal.
   */
  private static final class Facts {
    private final String line;
    private int at;
    int from;
    int to;
    int first;
    int second;
    int third;

    Facts(String line) {
      this.line = line;
      int end = line.indexOf(' ');
      at = end < 0 ? line.length() : end;
    }

    String name() {
      return line.substring(0, at);
    }

    boolean next() {
      if (at == line.length()) return false;
      from = number();
      to = at('-') ? number() : from;
      first = at('>') ? number() : -1;
      second = at('+') ? number() : -1;
      third = at('+') ? number() : -1;
      return true;
    }

    private boolean at(char sign) {
      return at < line.length() && line.charAt(at) == sign;
    }

    /** The number after the sign that stands here. */
    private int number() {
      int value = 0;
      while (++at < line.length()) {
        int digit = Character.digit(line.charAt(at), 16);
        if (digit < 0) break;
        value = value << 4 | digit;
      }
      return value;
    }
  }
}
