package dev.ridgeline.train.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.tokenizer.PreTokenizer;
import dev.ridgeline.model.tokenizer.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BytePairTrainerTest {
  private static final long SEED = 20261116;

  @Test
  void theMostFrequentPairIsJoinedFirst() {
    Codebook codebook = train(257 + 3, "low low low low low lower lower newest newest");
    // lo 7 times, low 7 times; then of Ġlow, 6 times, nothing is more frequent.
    assertThat(merges(codebook)).containsExactly("l o", "lo w", "Ġ low");
    assertThat(codebook.vocabulary().tokens().subList(256, 260))
        .containsExactly("lo", "low", "Ġlow", Codebook.END);
  }

  @Test
  void ofPairsAsFrequentTheSmallerIdsWin() {
    assertThat(merges(train(258, "zy\nzy\nab\nab"))).containsExactly("a b");
    assertThat(merges(train(258, "az\naz\nab\nab"))).containsExactly("a b");
  }

  @Test
  void itStopsWhereNoPairIsThereTwice() {
    Codebook codebook = train(10_000, "abc abc");
    assertThat(merges(codebook)).containsExactly("a b", "ab c");
    assertThat(codebook.tokenizer().size()).isEqualTo(259);
    assertThat(train(10_000, "x").tokenizer().size()).isEqualTo(257);
    assertThat(new BytePairTrainer().train(300).tokenizer().size()).isEqualTo(257);
  }

  @Test
  void runsOfOneLetterAreJoinedFromTheLeft() {
    Codebook codebook = train(257 + 4, "aaaaaaa aaaaaaa");
    assertThat(merges(codebook)).startsWith("a a", "aa aa");
    Tokens tokens = new Tokens();
    codebook.tokenizer().encode("aaaaaaaaaaa", tokens);
    assertThat(codebook.tokenizer().decode(tokens.ids())).isEqualTo("aaaaaaaaaaa");
  }

  @Test
  void theOrderOfTextsDoesNotMatter() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 200; i++) texts.add(RandomTexts.of(random, 40));
    Codebook one = train(700, texts.toArray(String[]::new));
    Collections.shuffle(texts, new Random(SEED));
    Codebook other = train(700, texts.toArray(String[]::new));
    assertThat(other.vocabulary().tokens()).isEqualTo(one.vocabulary().tokens());
    assertThat(merges(other)).isEqualTo(merges(one));
  }

  @Test
  void itLearnsWhatCountingAllPairsAnewEachTimeLearns() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 20; round++) {
      List<String> texts = new ArrayList<>();
      for (int i = random.nextInt(30); i >= 0; i--) texts.add(RandomTexts.of(random, 60));
      int size = 257 + random.nextInt(150);
      Codebook quick = train(size, texts.toArray(String[]::new));
      assertThat(merges(quick)).as("seed %d, round %d", SEED, round).isEqualTo(slowly(texts, size));
    }
  }

  /** The obvious way, as the reference: bytes as Latin-1 letters, all pairs counted each time. */
  private static List<String> slowly(List<String> texts, int size) {
    List<List<String>> words = new ArrayList<>();
    PreTokenizer rules = PreTokenizer.named("gpt-2");
    for (String text : texts) {
      for (int from = 0, end; from < text.length(); from = end) {
        end = rules.end(text, from, text.length());
        byte[] bytes = text.substring(from, end).getBytes(StandardCharsets.UTF_8);
        words.add(
            new ArrayList<>(List.of(new String(bytes, StandardCharsets.ISO_8859_1).split(""))));
      }
    }
    List<String> ids = new ArrayList<>();
    for (char b = 0; b < 256; b++) ids.add(String.valueOf(b));
    List<String> merges = new ArrayList<>();
    Set<List<String>> merged = new HashSet<>();
    while (ids.size() < size - 1) {
      Map<List<String>, Integer> counts = new HashMap<>();
      for (List<String> word : words) {
        for (int i = 0; i + 1 < word.size(); i++) {
          counts.merge(List.copyOf(word.subList(i, i + 2)), 1, Integer::sum);
        }
      }
      List<String> best = null;
      for (List<String> pair : counts.keySet()) {
        if (best == null || better(pair, best, counts, ids)) best = pair;
      }
      if (best == null || counts.get(best) < 2) break;
      String made = best.getFirst() + best.getLast();
      if (!ids.contains(made)) ids.add(made);
      if (merged.add(best)) merges.add(spelled(best.getFirst()) + " " + spelled(best.getLast()));
      for (List<String> word : words) {
        for (int i = 0; i + 1 < word.size(); i++) {
          if (!word.subList(i, i + 2).equals(best)) continue;
          word.remove(i + 1);
          word.set(i, made);
        }
      }
    }
    return merges;
  }

  private static boolean better(
      List<String> one, List<String> other, Map<List<String>, Integer> counts, List<String> ids) {
    int difference = counts.get(one) - counts.get(other);
    if (difference != 0) return difference > 0;
    int left = ids.indexOf(one.getFirst()) - ids.indexOf(other.getFirst());
    return left != 0 ? left < 0 : ids.indexOf(one.getLast()) < ids.indexOf(other.getLast());
  }

  private static String spelled(String token) {
    StringBuilder spelled = new StringBuilder();
    List<String> letters = Codebook.bytes().vocabulary().tokens();
    for (char b : token.toCharArray()) spelled.append(letters.get(b));
    return spelled.toString();
  }

  @Test
  void textsAreEncodedAsTheTokenizersOfHuggingFaceEncodeThem() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 500; i++) texts.add(RandomTexts.of(random, 60));
    Codebook trained = train(1500, texts.toArray(String[]::new));
    assertThat(merges(trained)).hasSizeGreaterThan(500);
    for (Codebook codebook : List.of(trained, Codebook.bytes())) {
      Tokens tokens = new Tokens();
      try (HuggingFace theirs = new HuggingFace(codebook)) {
        for (int i = 0; i < 3000; i++) {
          String text = RandomTexts.of(random, 40);
          tokens.clear();
          codebook.tokenizer().encode(text, tokens);
          int[] expected = theirs.ids(text);
          if (!Arrays.equals(tokens.ids(), expected)) {
            assertThat(tokens.ids()).as("seed %d, text %d: %s", SEED, i, text).isEqualTo(expected);
          }
          tokens.clear();
          codebook.tokenizer().encode(text, false, false, tokens);
          String decoded = codebook.tokenizer().decode(tokens.ids());
          if (!decoded.equals(text)) assertThat(decoded).as("text %d", i).isEqualTo(text);
        }
      }
    }
  }

  @Test
  void aLongRunOfOneClassIsLearnedFrom() {
    Codebook codebook = train(300, "x".repeat(1 << 20) + "🦙".repeat(1 << 16));
    assertThat(codebook.vocabulary().tokens()).contains("xx", "xxxx", "xxxxxxxx");
  }

  private static Codebook train(int size, String... texts) {
    BytePairTrainer trainer = new BytePairTrainer();
    for (String text : texts) trainer.add(text);
    return trainer.train(size);
  }

  private static List<String> merges(Codebook codebook) {
    return ((List<?>) codebook.vocabulary().more().get("merges"))
        .stream().map(String.class::cast).toList();
  }
}
