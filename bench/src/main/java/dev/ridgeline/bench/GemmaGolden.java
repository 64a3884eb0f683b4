package dev.ridgeline.bench;

import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.oracle.LlamaCpp;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;

/** Records what llama.cpp makes of texts with a small EmbeddingGemma, for the tests of model. */
public final class GemmaGolden {
  private static final SynthShape SHAPE = SynthShape.EMBEDDINGGEMMA_TINY;

  /** A local layer reaches 8 tokens; two more frame each text. */
  private static final int[] LENGTHS = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 25, 40, 64, 90, 120
  };

  private GemmaGolden() {}

  /** Writes the file that is named. */
  public static void main(String[] arguments) throws IOException {
    Path out = Path.of(arguments[0]);
    Path work = Files.createTempDirectory("gemma-golden");
    Path model = work.resolve("model.gguf");
    try {
      SynthModel.write(SHAPE, TensorType.F32, SynthModel.SEED, model, _ -> {});
      Path part = out.resolveSibling(out.getFileName() + ".part");
      Files.writeString(part, record(model));
      Files.move(part, out, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(model);
      Files.delete(work);
    }
    System.out.println(out);
  }

  private static String record(Path model) {
    StringBuilder lines = new StringBuilder();
    lines.append(
        """
        # Vectors that llama.cpp (%s) makes with synth:%s:f32, seed %d.
        # Made by: bench/run gemma-golden. Lines of three: text, its tokens, its vector of length 1.
        """
            .formatted(LlamaCpp.fetch().version(), SHAPE.word(), SynthModel.SEED));
    Random random = new Random(2);
    try (GemmaPair pair = new GemmaPair(model)) {
      for (int length : LENGTHS) {
        String text = pair.text(length, random);
        int[] tokens = pair.tokens(text);
        lines.append(text).append('\n');
        lines.append(
            Arrays.stream(tokens).mapToObj(Integer::toString).collect(Collectors.joining(" ")));
        lines.append('\n');
        String separator = "";
        for (float number : pair.theirs(tokens)) {
          lines.append(separator).append(number);
          separator = " ";
        }
        lines.append('\n');
      }
    }
    return lines.toString();
  }
}
