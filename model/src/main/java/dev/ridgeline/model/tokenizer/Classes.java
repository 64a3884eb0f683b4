package dev.ridgeline.model.tokenizer;

/**
 * What the patterns of byte-level tokenizers mean by letters, numbers and spaces.
 *
 * <p>The tokenizers of Hugging Face, with which the models were trained, are of an older Unicode
 * than a JDK; as with {@link Characters}, nothing here asks {@link Character}, and a test asks the
 * original again.
 */
final class Classes {
  static final int OTHER = 0;
  static final int LETTER = 1;
  static final int NUMBER = 2;
  static final int SPACE = 3;

  private static final int CLASS = 3;
  private static final int ACCENT = 4;
  private static final CharacterTable TABLE = read();

  private Classes() {}

  /** One of the four classes. */
  static int of(int character) {
    return TABLE.get(character) & CLASS;
  }

  /** Whether composing a text may change, move or swallow the character. */
  static boolean isAccent(int character) {
    return (TABLE.get(character) & ACCENT) != 0;
  }

  private static CharacterTable read() {
    CharacterTable table = new CharacterTable();
    for (Facts facts : Facts.read("classes.txt")) {
      switch (facts.name()) {
        case "letter" -> add(table, facts, LETTER);
        case "number" -> add(table, facts, NUMBER);
        case "space" -> add(table, facts, SPACE);
        case "accent" -> add(table, facts, ACCENT);
        default -> {}
      }
    }
    return table;
  }

  private static void add(CharacterTable table, Facts facts, int bits) {
    while (facts.next()) table.set(facts.from, facts.to, bits, bits);
  }
}
