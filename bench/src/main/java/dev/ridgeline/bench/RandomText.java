package dev.ridgeline.bench;

import dev.ridgeline.model.Embedder;
import java.util.Random;

/** Words at random, as many as have so many tokens. */
public final class RandomText {
  private static final String[] WORDS =
      ("the quick brown fox jumps over a lazy dog while engineers measure bandwidth, latency and"
              + " throughput of small models; nobody remembers yesterday's weather in Reykjavík or"
              + " Kraków (17 °C?) but photosynthesis internationalization tokenization 中文 λόγος")
          .split(" ");

  private RandomText() {}

  /**
   * A text for a model.
   *
   * @param tokens without the two that frame it
   */
  public static String of(Embedder embedder, int tokens, Random random) {
    StringBuilder text = new StringBuilder();
    // A character may have several tokens: cut off, it leaves too few.
    while (count(embedder, text) < tokens) {
      if (!text.isEmpty()) text.append(' ');
      text.append(WORDS[random.nextInt(WORDS.length)]);
      while (count(embedder, text) > tokens) {
        text.setLength(text.offsetByCodePoints(text.length(), -1));
      }
    }
    return text.toString();
  }

  private static int count(Embedder embedder, CharSequence text) {
    return embedder.countTokens(text) - 2;
  }
}
