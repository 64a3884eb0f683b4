package dev.ridgeline.model.tokenizer;

import java.util.Arrays;
import java.util.List;

/** The tokens of a model in the order of their ids, each with its kind and its score. */
public final class Vocabulary {
  /** What a token is for, numbered as in GGUF files. */
  public enum Kind {
    NORMAL(1),
    UNKNOWN(2),
    CONTROL(3),
    USER_DEFINED(4),
    UNUSED(5),
    BYTE(6);

    private static final Kind[] BY_NUMBER = new Kind[7];

    static {
      for (Kind kind : values()) BY_NUMBER[kind.number] = kind;
    }

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    /** The number in {@code tokenizer.ggml.token_type}. */
    public int number() {
      return number;
    }

    /** Numbers of a later format mean nothing here: such tokens are ordinary ones. */
    static Kind of(int number) {
      return number < 1 || number > 6 ? NORMAL : BY_NUMBER[number];
    }
  }

  private final List<String> tokens;
  private final Kind[] kinds;
  private final float[] scores;

  private Vocabulary(List<String> tokens, Kind[] kinds, float[] scores) {
    this.tokens = tokens;
    this.kinds = kinds;
    this.scores = scores;
  }

  /** A vocabulary of ordinary tokens. */
  public static Vocabulary of(List<String> tokens) {
    return of(tokens, null, null);
  }

  /**
   * A vocabulary with the arrays of a GGUF file; kinds and scores may be null, which is all
   * ordinary and all alike.
   */
  public static Vocabulary of(List<String> tokens, int[] kinds, float[] scores) {
    int size = tokens.size();
    check("kinds", size, kinds == null ? size : kinds.length);
    check("scores", size, scores == null ? size : scores.length);
    Kind[] known = new Kind[size];
    Arrays.fill(known, Kind.NORMAL);
    if (kinds != null) for (int id = 0; id < size; id++) known[id] = Kind.of(kinds[id]);
    return new Vocabulary(
        List.copyOf(tokens), known, scores == null ? new float[size] : scores.clone());
  }

  private static void check(String what, int tokens, int count) {
    if (count == tokens) return;
    throw new IllegalArgumentException("%d tokens have %d %s".formatted(tokens, count, what));
  }

  public int size() {
    return tokens.size();
  }

  public String token(int id) {
    return tokens.get(id);
  }

  public List<String> tokens() {
    return tokens;
  }

  /** The numbers of all kinds, as a GGUF file has them. */
  public int[] kinds() {
    return Arrays.stream(kinds).mapToInt(Kind::number).toArray();
  }

  public float[] scores() {
    return scores.clone();
  }

  public Kind kind(int id) {
    return kinds[id];
  }

  public float score(int id) {
    return scores[id];
  }
}
