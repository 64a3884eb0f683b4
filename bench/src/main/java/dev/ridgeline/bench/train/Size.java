package dev.ridgeline.bench.train;

import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Sizes;

/**
 * What is trained, in GPT-2's shape.
 *
 * @param bar how often as fast as PyTorch it is to be
 */
record Size(
    String name,
    int width,
    int layers,
    int heads,
    int vocabulary,
    int texts,
    int length,
    double bar) {
  static final Size[] ALL = {
    new Size("small", 128, 2, 4, 512, 32, 128, 1.2),
    new Size("medium", 256, 4, 8, 512, 32, 128, 1.2),
    new Size("gpt2", 768, 12, 12, 50257, 4, 64, 1)
  };

  private static final float EPSILON = 1e-5f;

  /** The one of this name, or null. */
  static Size named(String name) {
    for (Size each : ALL) if (each.name.equals(name)) return each;
    return null;
  }

  int tokens() {
    return texts * length;
  }

  Gpt2Shape shape() {
    Sizes sizes = Sizes.of(vocabulary, length, layers, width, 4 * width, heads);
    return new Gpt2Shape(sizes, EPSILON, true);
  }

  /** As the peer's program is told: width, layers, heads, vocabulary, texts, length. */
  String[] words() {
    int[] numbers = {width, layers, heads, vocabulary, texts, length};
    var words = new String[numbers.length];
    for (int i = 0; i < words.length; i++) words[i] = Integer.toString(numbers[i]);
    return words;
  }
}
