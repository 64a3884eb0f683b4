package dev.ridgeline.model.tokenizer;

/** What two neighbours in a {@link Merge} make together, and which are joined before others. */
interface Joins {
  /** A number for what two neighbours make, or −1 for nothing. */
  int find(Merge merge, int left, int right);

  /** The lower, the earlier. */
  int rank(int found);

  /** The token that is made. */
  int id(int found);
}
