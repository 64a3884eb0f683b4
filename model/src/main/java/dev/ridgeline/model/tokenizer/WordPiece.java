package dev.ridgeline.model.tokenizer;

import static java.util.Objects.checkIndex;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.Locale;

/**
 * The tokenizer of BERT and its family: words at spaces and punctuation, each cut into the longest
 * pieces of the vocabulary.
 *
 * <p>Vocabularies come in two spellings: the original marks what continues a word with {@code ##};
 * GGUF files mark what begins one with {@code ▁}. Ids are the same. Immutable and safe for
 * concurrent use, with {@link Tokens} of its own for each thread.
 */
public final class WordPiece extends FramedTokenizer {
  /** What marks a piece that continues a word, in the original spelling. */
  public static final String CONTINUATION = "##";

  /** Characters of a word at most; what is longer is not looked up. */
  public static final int LONGEST_WORD = Word.LONGEST;

  private static final String BEGINNING = "▁";

  private static final int HANGUL = 0xac00;
  private static final int HANGUL_END = 0xd7a4;

  private final boolean lowercase;
  private final boolean stripAccents;
  private final boolean marksBeginnings;
  private final Lexicon beginnings;
  private final Lexicon continuations;
  private final Characters characters = Characters.facts();

  /** A tokenizer whose texts are framed by the {@code cls} and {@code sep} of the specials. */
  public WordPiece(
      Vocabulary vocabulary, Specials specials, boolean lowercase, boolean stripAccents) {
    super(vocabulary, specials, specials.cls(), specials.sep());
    checkIndex(specials.unknown(), vocabulary.size());
    this.lowercase = lowercase;
    this.stripAccents = stripAccents;
    int beginning = 0;
    int continuing = 0;
    for (String token : vocabulary.tokens()) {
      if (token.startsWith(BEGINNING)) beginning++;
      else if (token.startsWith(CONTINUATION)) continuing++;
    }
    marksBeginnings = beginning > continuing;
    int marked = Math.max(beginning, continuing);
    beginnings = new Lexicon(marksBeginnings ? marked : vocabulary.size() - marked);
    continuations = new Lexicon(marksBeginnings ? vocabulary.size() - marked : marked);
    for (int id = 0; id < vocabulary.size(); id++) add(id);
  }

  private void add(int id) {
    if (continues(id)) continuations.add(bare(id), id);
    else beginnings.add(bare(id), id);
  }

  private boolean continues(int id) {
    String token = vocabulary.token(id);
    if (!marksBeginnings) return token.startsWith(CONTINUATION);
    // Names in brackets are written without the mark, though they continue nothing.
    boolean named = token.startsWith("[") && token.endsWith("]");
    return !token.startsWith(BEGINNING) && !named && vocabulary.kind(id) == Kind.NORMAL;
  }

  /** A token without the mark of its spelling. */
  private String bare(int id) {
    String token = vocabulary.token(id);
    if (marksBeginnings) {
      return token.startsWith(BEGINNING) ? token.substring(BEGINNING.length()) : token;
    }
    return token.startsWith(CONTINUATION) ? token.substring(CONTINUATION.length()) : token;
  }

  @Override
  void encode(CharSequence text, boolean special, Tokens out) {
    Trie tokens = whole.trie(special);
    Word word = out.word;
    word.clear();
    for (int at = 0; at < text.length(); ) {
      int id = tokens.longestAt(text, at);
      if (id >= 0) {
        finish(word, out);
        out.add(id);
        at += vocabulary.token(id).length();
      } else {
        int character = Utf8.at(text, at);
        read(character, word, out);
        at += Character.charCount(character);
      }
    }
    finish(word, out);
  }

  /** One character of the text: cleaned, and an ideograph with space around it. */
  private void read(int character, Word word, Tokens out) {
    int kind = characters.kind(character);
    switch (kind & Characters.KIND) {
      case Characters.DROP -> {}
      case Characters.SPACE -> finish(word, out);
      case Characters.IDEOGRAPH -> {
        finish(word, out);
        strip(character, kind, word, out);
        finish(word, out);
      }
      default -> strip(character, kind, word, out);
    }
  }

  /** Takes the character apart and leaves accents away, if the model wants that. */
  private void strip(int character, int kind, Word word, Tokens out) {
    if (!stripAccents) {
      lower(character, kind, word, out);
    } else if ((kind & Characters.KIND) == Characters.BLOCKER) {
      word.block();
    } else if ((kind & Characters.KIND) == Characters.MARK) {
      return;
    } else if ((kind & Characters.HAS_STRIPPED) != 0) {
      CharacterMap map = characters.stripped();
      int place = map.place(character);
      for (int i = 0; i < map.count(place); i++) {
        int part = map.target(place, i);
        lower(part, characters.kind(part), word, out);
      }
    } else if (character >= HANGUL && character < HANGUL_END) {
      syllable(character - HANGUL, word);
    } else {
      lower(character, kind, word, out);
    }
  }

  /** Unicode's arithmetic: 19 initial, 21 middle and 27 final letters, or none at the end. */
  private static void syllable(int index, Word word) {
    word.add(0x1100 + index / (21 * 28));
    word.add(0x1161 + index / 28 % 21);
    if (index % 28 > 0) word.add(0x11a7 + index % 28);
  }

  private void lower(int character, int kind, Word word, Tokens out) {
    if (!lowercase || (kind & Characters.HAS_LOWER) == 0) {
      letter(character, kind, word, out);
      return;
    }
    CharacterMap map = characters.lower();
    int place = map.place(character);
    for (int i = 0; i < map.count(place); i++) {
      int part = map.target(place, i);
      letter(part, characters.kind(part), word, out);
    }
  }

  private void letter(int character, int kind, Word word, Tokens out) {
    int bare = kind & Characters.KIND;
    if (bare == Characters.PUNCTUATION) {
      finish(word, out);
      word.add(character);
      finish(word, out);
    } else if (bare >= Characters.RANKED && stripAccents) {
      word.add(character, bare);
    } else {
      word.add(character);
    }
  }

  private void finish(Word word, Tokens out) {
    if (word.isEmpty()) return;
    word.cut(beginnings, continuations, specials.unknown(), out);
    word.clear();
  }

  @Override
  public String decode(int[] ids, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      Kind kind = vocabulary.kind(ids[i]);
      if (kind == Kind.CONTROL || kind == Kind.UNKNOWN) continue;
      String piece = bare(ids[i]);
      boolean continues = continues(ids[i]);
      // A text cannot begin inside a word: there the mark stays, to show that something is missing.
      if (text.isEmpty()) text.append(continues ? CONTINUATION : "");
      else if (!continues && !isClosing(piece)) text.append(' ');
      text.append(piece);
    }
    return text.toString();
  }

  @Override
  public int bytes(int id, byte[] target, int at) {
    throw new UnsupportedOperationException("WordPiece puts spaces between words, not into them");
  }

  @Override
  public int longestToken() {
    return 0;
  }

  /** Nothing generates with it. */
  @Override
  public boolean ends(int id) {
    return false;
  }

  @Override
  public int[] endings() {
    return new int[0];
  }

  private static boolean isClosing(String piece) {
    return switch (piece) {
      case ".", "?", "!", "," -> true;
      default -> false;
    };
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "WordPiece of %,d tokens", size());
  }
}
