package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Joining by a list of pairs, on vocabularies that fit on a line. */
class BytePairTest {
  private static final long SEED = 12;

  private final List<String> tokens = new ArrayList<>();
  private final List<Integer> kinds = new ArrayList<>();
  private final List<String> merges = new ArrayList<>();
  private String rules = "gpt-2";

  @Test
  void theFirstPairOfTheListIsJoinedFirst() {
    add("a b c ab bc");
    merges.addAll(List.of("b c", "a b"));
    assertThat(spelled("abc")).isEqualTo("a bc");
  }

  @Test
  void ofEqualPairsTheLeftIsJoinedFirst() {
    add("a aa");
    merges.add("a a");
    assertThat(spelled("aaaaa")).isEqualTo("aa aa a");
  }

  @Test
  void whatIsATokenButNoPairIsNotMade() {
    add("a b ab");
    assertThat(spelled("ab")).isEqualTo("a b");
  }

  @Test
  void llamasWordsThatAreTokensNeedNoPairs() {
    add("a b ab Ġab Ġ");
    rules = "llama-bpe";
    assertThat(spelled("ab ab ba")).isEqualTo("ab Ġab Ġ b a");
  }

  @Test
  void aSpaceBelongsToTheWordBehindIt() {
    add("a b Ġ Ġa Ċ");
    merges.add("Ġ a");
    assertThat(spelled("a a  a\n")).isEqualTo("a Ġa Ġ Ġa Ċ");
  }

  @Test
  void controlTokensAreFoundOnlyWhenAsked() {
    add("a < s > <s> ab");
    kinds.set(4, Kind.CONTROL.number());
    kinds.set(5, Kind.USER_DEFINED.number());
    BytePair tokenizer = tokenizer();
    Tokens ids = new Tokens();
    tokenizer.encode("a<s>ab", false, true, ids);
    assertThat(names(ids.ids())).isEqualTo("a <s> ab");
    assertThat(tokenizer.decode(ids.ids())).isEqualTo("aab");
    ids.clear();
    tokenizer.encode("a<s>ab", false, false, ids);
    assertThat(names(ids.ids())).isEqualTo("a < s > ab");
    assertThat(tokenizer.decode(ids.ids())).isEqualTo("a<s>ab");
  }

  @Test
  void aFramedTextHasItsTokensAround() {
    add("a <s> </s>");
    BytePair tokenizer = tokenizer(Specials.NONE.withFrame(1, 2), true, true);
    Tokens ids = new Tokens();
    tokenizer.encode("a", ids);
    assertThat(ids.ids()).containsExactly(1, 0, 2);
  }

  @Test
  void aByteThatIsNoTokenIsLeftOut() {
    add("a");
    assertThat(spelled("aba")).isEqualTo("a a");
  }

  @Test
  void anUnknownPreTokenizerIsNamedAndTheKnownListed() {
    add("a");
    rules = "gpt-9";
    assertThatThrownBy(this::tokenizer)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("pre-tokenizer gpt-9 is not known; gpt-2, ")
        .hasMessageContainingAll("llama-bpe", "qwen2", "smollm")
        .hasMessageNotContaining("\n");
  }

  @Test
  void aPairOfOtherTokensIsNamed() {
    add("a b ab");
    refused("a c", "merge <a c> is of c, which is no token");
    refused("b a", "merge <b a> is of ba, which is no token");
    refused("ab", "merge <ab> is no pair");
    refused("", "merge <> is no pair");
  }

  private void refused(String merge, String message) {
    merges.clear();
    merges.add(merge);
    assertThatThrownBy(this::tokenizer)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void joiningIsThatOfTheObviousLoop() {
    SplittableRandom random = new SplittableRandom(SEED);
    add("a b c");
    Map<String, Integer> ranks = new LinkedHashMap<>();
    while (ranks.size() < 60) {
      String left = tokens.get(random.nextInt(tokens.size()));
      String right = tokens.get(random.nextInt(tokens.size()));
      if (left.length() + right.length() > 8) continue;
      if (ranks.putIfAbsent(left + " " + right, ranks.size()) != null) continue;
      if (!tokens.contains(left + right)) add(left + right);
    }
    merges.addAll(ranks.keySet());
    BytePair tokenizer = tokenizer();
    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(40); n >= 0; n--) text.append("abc".charAt(random.nextInt(3)));
      Tokens ids = new Tokens();
      tokenizer.encode(text, ids);
      assertThat(names(ids.ids()))
          .as("seed %d: %s", SEED, text)
          .isEqualTo(obvious(text.toString(), ranks));
    }
  }

  /** Looks at all neighbours again after each step. */
  private static String obvious(String text, Map<String, Integer> ranks) {
    List<String> parts = new ArrayList<>(List.of(text.split("")));
    while (true) {
      int best = -1;
      int rank = Integer.MAX_VALUE;
      for (int i = 0; i + 1 < parts.size(); i++) {
        Integer found = ranks.get(parts.get(i) + " " + parts.get(i + 1));
        if (found == null || found >= rank) continue;
        best = i;
        rank = found;
      }
      if (best < 0) return String.join(" ", parts);
      parts.set(best, parts.get(best) + parts.remove(best + 1));
    }
  }

  private void add(String spaced) {
    for (String token : spaced.split(" ")) {
      tokens.add(token);
      kinds.add(Kind.NORMAL.number());
    }
  }

  private String spelled(String text) {
    Tokens ids = new Tokens();
    tokenizer().encode(text, ids);
    return names(ids.ids());
  }

  private String names(int[] ids) {
    return Arrays.stream(ids).mapToObj(tokens::get).collect(Collectors.joining(" "));
  }

  private BytePair tokenizer() {
    return tokenizer(Specials.NONE, false, false);
  }

  private BytePair tokenizer(Specials specials, boolean addBos, boolean addEos) {
    int[] numbers = kinds.stream().mapToInt(i -> i).toArray();
    return new BytePair(
        Vocabulary.of(tokens, numbers, null), merges, rules, specials, addBos, addEos);
  }
}
