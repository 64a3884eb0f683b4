package dev.ridgeline.train.data;

import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.train.TrainException;

/**
 * The ids of all texts, one after the other: first the part to train on, then the part that is only
 * evaluated.
 *
 * <p>Each document has the tokens that begin and end a text around it, if the tokenizer has them.
 * Text in a document that looks like a special token is only text. Immutable; safe for use by any
 * number of threads.
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
   * @param evaluation share of all tokens, the last ones, that is never trained on
   */
  public static Corpus read(Documents documents, Tokenizer tokenizer, double evaluation) {
    Ids ids = new Ids(tokenizer.size());
    Tokens tokens = new Tokens();
    int[] count = {0};
    documents.each(
        text -> {
          tokens.clear();
          if (tokenizer.first() >= 0) tokens.add(tokenizer.first());
          tokenizer.encode(text, false, false, tokens);
          if (tokenizer.specials().eos() >= 0) tokens.add(tokenizer.specials().eos());
          for (int i = 0; i < tokens.size(); i++) {
            if (ids.add(tokens.get(i))) continue;
            throw new TrainException(
                "%s: more than %,d tokens".formatted(documents.name(), Ids.MOST));
          }
          count[0]++;
        });
    ids.trim();
    if (ids.size() < 2) {
      throw new TrainException(
          "%s: only %d token: there is nothing to predict".formatted(documents.name(), ids.size()));
    }
    int held = (int) Math.round(ids.size() * evaluation);
    if (evaluation > 0 && held < 2) {
      throw new TrainException(
          "%s: %d of %d tokens are for evaluation, at least 2 are needed"
              .formatted(documents.name(), held, ids.size()));
    }
    return new Corpus(documents.name(), ids, count[0], ids.size() - held);
  }

  /** For messages: the file, or the first and how many more. */
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

  /** How many of them, from the first, are trained on. */
  public int training() {
    return training;
  }

  /** How many of them, the last ones, are not. */
  public int evaluation() {
    return ids.size() - training;
  }

  /** The CRC-32C of all ids: it differs for other texts and another tokenizer. */
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
