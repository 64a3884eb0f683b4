package dev.ridgeline.model.tokenizer;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * The tokenizer of Llama and Gemma: characters joined to tokens in the order of the scores, and
 * bytes for what the vocabulary does not have.
 *
 * <p>Does what llama.cpp does with the same file. Immutable and safe for concurrent use, with
 * {@link Tokens} of its own for each thread.
 */
public final class SentencePiece implements Tokenizer {
  private static final char SPACE = '▁';

  private final Vocabulary vocabulary;
  private final Specials specials;
  private final boolean spacePrefix;
  private final boolean addBos;
  private final boolean addEos;
  private final Lexicon lexicon = new Lexicon();
  private final int[] ranks;
  private final int[] bytes = new int[256];
  private final int[] lengths;
  private final Trie special = new Trie();
  private final Trie userDefined = new Trie();
  private final boolean wordsStandAlone;

  /**
   * @param spacePrefix whether a text, and what follows a special token, begins as after a space
   * @param addBos whether a framed text begins with {@code bos}
   * @param addEos whether it ends with {@code eos}
   */
  public SentencePiece(
      Vocabulary vocabulary,
      Specials specials,
      boolean spacePrefix,
      boolean addBos,
      boolean addEos) {
    this.vocabulary = vocabulary;
    this.specials = specials.within(vocabulary.size());
    this.spacePrefix = spacePrefix;
    this.addBos = addBos;
    this.addEos = addEos;
    lengths = new int[vocabulary.size()];
    for (int id = 0; id < vocabulary.size(); id++) add(vocabulary.token(id), id);
    for (int b = 0; b < bytes.length; b++) bytes[b] = byteToken(b);
    ranks = ranks(vocabulary);
    wordsStandAlone = wordsStandAlone(vocabulary);
  }

  private void add(String token, int id) {
    Kind kind = vocabulary.kind(id);
    lengths[id] = token.getBytes(StandardCharsets.UTF_8).length;
    if (kind == Kind.USER_DEFINED) userDefined.add(token, id);
    if (kind == Kind.USER_DEFINED || kind == Kind.CONTROL || kind == Kind.UNKNOWN) {
      special.add(token, id);
    }
    lexicon.add(token, id);
  }

  private int byteToken(int b) {
    byte[] name = "<0x%02X>".formatted(b).getBytes(StandardCharsets.US_ASCII);
    int id = lexicon.find(name, 0, name.length);
    return id >= 0 ? id : specials.unknown();
  }

  /** Places in the order of the scores, the best first; equal scores share one. */
  private static int[] ranks(Vocabulary vocabulary) {
    float[] sorted = new float[vocabulary.size()];
    for (int id = 0; id < sorted.length; id++) sorted[id] = -vocabulary.score(id);
    Arrays.sort(sorted);
    int[] ranks = new int[sorted.length];
    for (int id = 0; id < ranks.length; id++) {
      ranks[id] = first(sorted, -vocabulary.score(id));
    }
    return ranks;
  }

  private static int first(float[] sorted, float score) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = low + high >>> 1;
      if (Float.compare(sorted[middle], score) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Whether no token has a space after something else: then words can be joined one by one, with a
   * heap of a few entries, and the result is the same.
   */
  private static boolean wordsStandAlone(Vocabulary vocabulary) {
    for (String token : vocabulary.tokens()) {
      for (int i = 1; i < token.length(); i++) {
        if (token.charAt(i) == SPACE && token.charAt(i - 1) != SPACE) return false;
      }
    }
    return true;
  }

  @Override
  public void encode(CharSequence text, boolean framed, boolean special, Tokens out) {
    if (framed && first() >= 0) out.add(first());
    Cover cover = out.cover();
    boolean covered = cover.find(special ? this.special : userDefined, lengths, text);
    int from = 0;
    for (int at = 0; covered && at < text.length(); ) {
      int id = cover.id(at);
      if (id < 0) {
        at++;
        continue;
      }
      words(text, from, at, out);
      out.add(id);
      at += vocabulary.token(id).length();
      from = at;
    }
    words(text, from, text.length(), out);
    if (framed && last() >= 0) out.add(last());
  }

  /** What stands between special tokens. */
  private void words(CharSequence text, int from, int to, Tokens out) {
    if (from == to) return;
    Merge merge = out.merge();
    merge.clear();
    if (spacePrefix) merge.add(SPACE);
    boolean space = true;
    for (int at = from; at < to; ) {
      int character = Utf8.at(text, at);
      at += Character.charCount(character);
      if (character == ' ') character = SPACE;
      if (wordsStandAlone && character == SPACE && !space) finish(merge, out);
      space = character == SPACE;
      merge.add(character);
    }
    finish(merge, out);
  }

  private void finish(Merge merge, Tokens out) {
    if (merge.isEmpty()) return;
    merge.run(lexicon, ranks);
    for (int i = 0; i >= 0; i = merge.after(i)) {
      if (merge.id(i) >= 0) out.add(merge.id(i));
      else spell(merge, i, out);
    }
    merge.clear();
  }

  /** A character that is no token, byte by byte. */
  private void spell(Merge merge, int index, Tokens out) {
    for (int at = merge.start(index); at < merge.end(index); at++) {
      int id = bytes[merge.unsigned(at)];
      if (id >= 0) out.add(id);
      // Without bytes, the whole character is unknown, once.
      if (id == specials.unknown()) return;
    }
  }

  @Override
  public String decode(int[] ids, int from, int to) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int i = from; i < to; i++) {
      String token = vocabulary.token(ids[i]);
      switch (vocabulary.kind(ids[i])) {
        case CONTROL, UNKNOWN -> {}
        case BYTE -> text.write(byteOf(ids[i]));
        case USER_DEFINED -> text.writeBytes(token.getBytes(StandardCharsets.UTF_8));
        default -> text.writeBytes(token.replace(SPACE, ' ').getBytes(StandardCharsets.UTF_8));
      }
    }
    String spaced = text.toString(StandardCharsets.UTF_8);
    return spacePrefix && spaced.startsWith(" ") ? spaced.substring(1) : spaced;
  }

  private int byteOf(int id) {
    for (int b = 0; b < bytes.length; b++) if (bytes[b] == id) return b;
    throw new IllegalArgumentException("%s is no byte".formatted(vocabulary.token(id)));
  }

  @Override
  public Vocabulary vocabulary() {
    return vocabulary;
  }

  @Override
  public Specials specials() {
    return specials;
  }

  @Override
  public int first() {
    return addBos ? specials.bos() : -1;
  }

  @Override
  public int last() {
    return addEos ? specials.eos() : -1;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "SentencePiece of %,d tokens", size());
  }
}
