package dev.ridgeline.model.tokenizer;

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

  private static final Characters FACTS = read();

  private final CharacterTable kinds = new CharacterTable();
  private final CharacterMap lower = new CharacterMap();
  private final CharacterMap stripped = new CharacterMap();

  private Characters() {}

  static Characters facts() {
    return FACTS;
  }

  /** One of the kinds, and the bits that say whether the maps know the character. */
  int kind(int character) {
    return kinds.get(character);
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
    int rank = RANKED;
    for (Facts facts : Facts.read("characters.txt")) {
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
    return characters;
  }

  private void mark(Facts facts, int kind) {
    while (facts.next()) kinds.set(facts.from, facts.to, KIND, kind);
  }

  private void map(Facts facts, CharacterMap map, int bit) {
    while (facts.next()) {
      for (int c = facts.from; c <= facts.to; c++) {
        kinds.set(c, kinds.get(c) | bit);
        if (facts.second < 0) map.put(c, facts.first + c - facts.from);
        else if (facts.third < 0) map.put(c, facts.first, facts.second);
        else map.put(c, facts.first, facts.second, facts.third);
      }
    }
  }
}
