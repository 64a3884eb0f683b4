package dev.ridgeline.model.decoder;

import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * Prints how far the logits of each type are from those of its numbers as f32; a process of its
 * own.
 */
final class ReadOnlyTypes {
  private static final int TOKENS = 40;

  private ReadOnlyTypes() {}

  /** Writes models into the folder that is the argument. */
  public static void main(String[] args) {
    for (TensorType type : TensorType.values()) {
      if (type.writable()) continue;
      Path model = ReadOnlyModel.write(type, Path.of(args[0]));
      float[][] actual = logits(model);
      float[][] expected = logits(ReadOnlyModel.dequantized(model));
      double worst = 0;
      for (int i = 0; i < TOKENS; i++) {
        double distance = DecoderAgainstLlamaCppTest.distance(actual[i], expected[i]);
        if (!(distance <= worst)) worst = distance;
      }
      System.out.printf("%s %.9f%n", type.word(), worst);
    }
  }

  /** A prompt at once, then token after token: both kinds of products. */
  private static float[][] logits(Path model) {
    int[] tokens =
        new Random(7).ints(TOKENS, 0, ReadOnlyModel.SHAPE.architecture().vocabulary()).toArray();
    float[][] logits = new float[TOKENS][];
    try (Reader reader = new Reader(model, TensorType.F32, TOKENS, 1)) {
      int prompt = TOKENS - 8;
      float[][] first = reader.add(0, Arrays.copyOf(tokens, prompt)).all();
      System.arraycopy(first, 0, logits, 0, prompt);
      for (int i = prompt; i < TOKENS; i++) logits[i] = reader.add(0, tokens[i]).last()[0];
    }
    return logits;
  }
}
