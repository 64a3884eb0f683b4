package dev.ridgeline.model.tokenizer;

/** The word that a {@link WordPiece} is reading: its letters in canonical order. */
final class Word {
  /** What is longer is not looked up. */
  static final int LONGEST = 100;

  private final int[] letters = new int[LONGEST];
  private final byte[] ranks = new byte[LONGEST];
  private int count;
  private int sortedFrom;

  private final byte[] bytes = new byte[LONGEST * Utf8.LONGEST];
  private final int[] hashes = new int[LONGEST * Utf8.LONGEST + 1];

  void clear() {
    count = 0;
    sortedFrom = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }

  void add(int letter) {
    if (count < LONGEST) letters[count] = letter;
    count++;
    sortedFrom = count;
  }

  /** Adds a letter before those of a higher rank that stand at the end. */
  void add(int letter, int rank) {
    if (count < LONGEST) {
      int at = count;
      while (at > sortedFrom && ranks[at - 1] > rank) {
        letters[at] = letters[at - 1];
        ranks[at] = ranks[at - 1];
        at--;
      }
      letters[at] = letter;
      ranks[at] = (byte) rank;
    }
    count++;
  }

  /** Letters to come stay behind those that are here. */
  void block() {
    sortedFrom = count;
  }

  /**
   * Appends the pieces, the longest first, or the one id of the unknown where the word cannot be
   * made of pieces from end to end.
   */
  void cut(Lexicon beginnings, Lexicon continuations, int unknown, Tokens out) {
    if (count > LONGEST) {
      out.add(unknown);
      return;
    }
    int length = 0;
    for (int i = 0; i < count; i++) length = Utf8.write(letters[i], bytes, length);
    int before = out.size();
    Lexicon lexicon = beginnings;
    for (int from = 0; from < length; ) {
      int to = Math.min(length, from + lexicon.longest());
      hash(from, to);
      int id = -1;
      while (to > from) {
        boolean whole = to == length || !Utf8.continues(bytes[to]);
        if (whole) {
          id = lexicon.find(bytes, from, to, hashes[to]);
          if (id >= 0) break;
        }
        to--;
      }
      if (id < 0) {
        out.truncate(before);
        out.add(unknown);
        return;
      }
      out.add(id);
      from = to;
      lexicon = continuations;
    }
  }

  /** The hash of each beginning of a range, in one go. */
  private void hash(int from, int to) {
    int hash = Lexicon.hash();
    for (int i = from; i < to; i++) {
      hash = Lexicon.hash(hash, bytes[i]);
      hashes[i + 1] = hash;
    }
  }
}
