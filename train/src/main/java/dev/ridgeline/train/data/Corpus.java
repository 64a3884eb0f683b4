package dev.ridgeline.train.data;

import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.train.TrainException;

/**
 * The ids of all texts, one behind the other: the training part, then the part that is only
 * evaluated on, both whole.
 *
 * <p>Before each document stands the token that begins a text and behind it the one that ends it,
 * where the tokenizer has them. Words of a document that are spelled like special tokens are only
 * words. Immutable; safe for use by any number of threads.
 */
public final class Corpus {
  private final String name;
  private final Ids ids;
  private final int documents;
  private final int training;
  private final long checksum;

  private Corpus(String name, Ids ids, int documents, int training) {
    this.name = name;
    this.ids = ids;
    this.documents = documents;
    this.training = training;
    this.checksum = ids.checksum();
  }

  /**
   * Reads and tokenizes all texts, once.
   *
   * @param evaluation how much of all tokens is never trained on: the last of them
   */
  public static Corpus read(Documents documents, Tokenizer tokenizer, double evaluation) {
    Reader reader = new Reader(tokenizer, new Ids(tokenizer.size()), documents.name());
    documents.each(reader::add);
    Ids ids = reader.ids;
    ids.trim();
    if (ids.size() < 2) {
      throw new TrainException(
          "%s: %d token in all: nothing follows it".formatted(documents.name(), ids.size()));
    }
    int held = (int) Math.round(ids.size() * evaluation);
    if (evaluation > 0 && held < 2) {
      throw new TrainException(
          "%s: %d of %d tokens are for evaluation, where 2 are needed"
              .formatted(documents.name(), held, ids.size()));
    }
    return new Corpus(documents.name(), ids, reader.documents, ids.size() - held);
  }

  /** Appends texts to ids, in room that is used again. */
  private static final class Reader {
    private final Tokenizer tokenizer;
    private final Tokens tokens = new Tokens();
    private final Ids ids;
    private final String name;
    private int documents;

    Reader(Tokenizer tokenizer, Ids ids, String name) {
      this.tokenizer = tokenizer;
      this.ids = ids;
      this.name = name;
    }

    void add(String text) {
      tokens.clear();
      if (tokenizer.first() >= 0) tokens.add(tokenizer.first());
      tokenizer.encode(text, false, false, tokens);
      int eos = tokenizer.specials().eos();
      if (eos >= 0) tokens.add(eos);
      for (int i = 0; i < tokens.size(); i++) {
        if (!ids.add(tokens.get(i))) {
          throw new TrainException("%s: more than %,d tokens".formatted(name, Ids.MOST));
        }
      }
      documents++;
    }
  }

  /** In a message: the file, or how many there are. */
  public String name() {
    return name;
  }

  public int documents() {
    return documents;
  }

  /** How many tokens there are. */
  public int size() {
    return ids.size();
  }

  /** How many of them, from the first on, are trained on. */
  public int training() {
    return training;
  }

  /** How many of them, up to the last, are not. */
  public int evaluation() {
    return ids.size() - training;
  }

  /** A number that other texts or another tokenizer would change: CRC-32C of all ids. */
  public long checksum() {
    return checksum;
  }

  public int get(int index) {
    return ids.get(index);
  }

  void copy(int from, int count, int[] target, int at) {
    ids.copy(from, count, target, at);
  }
}
