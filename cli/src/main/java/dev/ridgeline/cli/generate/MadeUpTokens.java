package dev.ridgeline.cli.generate;

import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Vocabulary;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Prompts of a length to the token. What they say is nothing, which costs as much as sense. */
final class MadeUpTokens {
  private MadeUpTokens() {}

  /** Each is different; the same seed gives the same. */
  static int[][] prompts(Tokenizer tokenizer, int count, int length, long seed) {
    Vocabulary vocabulary = tokenizer.vocabulary();
    int[] words =
        IntStream.range(0, vocabulary.size())
            .filter(id -> vocabulary.kind(id) == Vocabulary.Kind.NORMAL && !tokenizer.ends(id))
            .toArray();
    SplittableRandom random = new SplittableRandom(seed);
    int[][] prompts = new int[count][length];
    for (int[] prompt : prompts) {
      for (int i = 0; i < length; i++) prompt[i] = words[random.nextInt(words.length)];
      if (tokenizer.first() >= 0) prompt[0] = tokenizer.first();
    }
    return prompts;
  }
}
