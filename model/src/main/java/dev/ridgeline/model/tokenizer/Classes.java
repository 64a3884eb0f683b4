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

  private static final CharacterTable TABLE = read();

  private Classes() {}

  /** One of the four classes. */
  static int of(int character) {
    return TABLE.get(character);
  }

  private static CharacterTable read() {
    CharacterTable table = new CharacterTable();
    for (Facts facts : Facts.read("classes.txt")) {
      switch (facts.name()) {
        case "letter" -> add(table, facts, LETTER);
        case "number" -> add(table, facts, NUMBER);
        case "space" -> add(table, facts, SPACE);
        default -> {}
      }
    }
    return table;
  }

  private static void add(CharacterTable table, Facts facts, int kind) {
    while (facts.next()) {
      for (int c = facts.from; c <= facts.to; c++) table.set(c, kind);
    }
  }
}
