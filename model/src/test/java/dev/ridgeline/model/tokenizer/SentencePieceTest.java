package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Joining by scores, on vocabularies that fit on a line. */
class SentencePieceTest {
  private static final long SEED = 11;
  private static final Specials SPECIALS = new Specials(1, 2, -1, -1, -1, -1, -1, -1, 0);

  private final List<String> tokens = new ArrayList<>();
  private final List<Kind> kinds = new ArrayList<>();
  private final List<Float> scores = new ArrayList<>();

  SentencePieceTest() {
    add("<unk>", Kind.UNKNOWN, 0);
    add("<s>", Kind.CONTROL, 0);
    add("</s>", Kind.CONTROL, 0);
  }

  @Test
  void theBestScoreIsJoinedFirst() {
    add("a b c ab bc", -1, -1, -1, -5, -4);
    assertThat(spelled("abc", false)).isEqualTo("a bc");
  }

  @Test
  void ofEqualScoresTheLeftIsJoinedFirst() {
    add("a aa", -1, -2);
    assertThat(spelled("aaaaa", false)).isEqualTo("aa aa a");
  }

  @Test
  void aTextBeginsAsAfterASpace() {
    add("▁ a b ▁a", -9, -9, -9, -1);
    assertThat(spelled("a a", true)).isEqualTo("▁a ▁a");
    assertThat(spelled("a a", false)).isEqualTo("a ▁a");
  }

  @Test
  void whatIsNoTokenIsSpelledInBytes() {
    add("a ▁", -1, -1);
    for (int b = 0; b < 256; b++) add("<0x%02X>".formatted(b), Kind.BYTE, 0);
    assertThat(spelled("aé", false)).isEqualTo("a <0xC3> <0xA9>");
    SentencePiece tokenizer = tokenizer(false);
    String text = "aéa 漢 🦙";
    assertThat(tokenizer.decode(encoded(tokenizer, text, true))).isEqualTo(text);
  }

  @Test
  void withoutBytesACharacterIsUnknownOnce() {
    add("a", -1);
    assertThat(spelled("a漢a", false)).isEqualTo("a <unk> a");
  }

  @Test
  void controlTokensAreFoundOnlyWhenAsked() {
    add("< s > a", -1, -1, -1, -1);
    SentencePiece tokenizer = tokenizer(false);
    assertThat(tokenizer.decode(encoded(tokenizer, "a<s>a", true))).isEqualTo("aa");
    Tokens plain = new Tokens();
    tokenizer.encode("a<s>a", false, false, plain);
    assertThat(tokenizer.decode(plain.ids())).isEqualTo("a<s>a");
    assertThat(encoded(tokenizer, "", true)).containsExactly(1, 2);
  }

  @Test
  void aLongerTokenOfTheUserBeatsOneThatBeginsBeforeIt() {
    add("x a b c", -1, -1, -1, -1);
    add("xa", Kind.USER_DEFINED, 0);
    add("abc", Kind.USER_DEFINED, 0);
    assertThat(spelled("xabcxa", false)).isEqualTo("x abc xa");
  }

  @Test
  void joiningIsThatOfTheObviousLoop() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (char letter : "abc▁".toCharArray()) add(String.valueOf(letter), Kind.NORMAL, -99);
    for (int i = 0; i < 60; i++) {
      String token = letters(random, 2 + random.nextInt(4)).replace(' ', '▁');
      if (!tokens.contains(token)) add(token, Kind.NORMAL, -random.nextInt(20));
    }
    SentencePiece tokenizer = tokenizer(true);
    for (int i = 0; i < 5_000; i++) {
      String text = letters(random, 1 + random.nextInt(40));
      Tokens ids = new Tokens();
      tokenizer.encode(text, false, false, ids);
      assertThat(names(ids.ids())).as("seed %d: %s", SEED, text).isEqualTo(obvious("▁" + text));
    }
  }

  private static String letters(SplittableRandom random, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) text.append("abc ".charAt(random.nextInt(4)));
    return text.toString();
  }

  /** Looks at all neighbours again after each step. */
  private String obvious(String text) {
    List<String> parts = new ArrayList<>(List.of(text.replace(' ', '▁').split("")));
    while (true) {
      int best = -1;
      float score = Float.NEGATIVE_INFINITY;
      for (int i = 0; i + 1 < parts.size(); i++) {
        int id = tokens.indexOf(parts.get(i) + parts.get(i + 1));
        if (id < 0 || scores.get(id) <= score) continue;
        best = i;
        score = scores.get(id);
      }
      if (best < 0) return String.join(" ", parts);
      parts.set(best, parts.get(best) + parts.remove(best + 1));
    }
  }

  private void add(String spaced, float... scores) {
    String[] names = spaced.split(" ");
    for (int i = 0; i < names.length; i++) add(names[i], Kind.NORMAL, scores[i]);
  }

  private void add(String token, Kind kind, float score) {
    tokens.add(token);
    kinds.add(kind);
    scores.add(score);
  }

  private String spelled(String text, boolean spacePrefix) {
    Tokens ids = new Tokens();
    tokenizer(spacePrefix).encode(text, false, false, ids);
    return names(ids.ids());
  }

  private String names(int[] ids) {
    return java.util.Arrays.stream(ids).mapToObj(tokens::get).collect(Collectors.joining(" "));
  }

  private static int[] encoded(Tokenizer tokenizer, String text, boolean framed) {
    Tokens ids = new Tokens();
    tokenizer.encode(text, framed, true, ids);
    return ids.ids();
  }

  private SentencePiece tokenizer(boolean spacePrefix) {
    float[] numbers = new float[scores.size()];
    for (int i = 0; i < numbers.length; i++) numbers[i] = scores.get(i);
    int[] types = kinds.stream().mapToInt(Kind::number).toArray();
    return new SentencePiece(
        Vocabulary.of(tokens, types, numbers), SPECIALS, spacePrefix, true, true);
  }
}
