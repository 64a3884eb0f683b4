package dev.ridgeline.bench;

import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.oracle.LlamaCpp;
import dev.ridgeline.oracle.LlamaDecoder;
import dev.ridgeline.oracle.LlamaModel;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Records what llama.cpp expects behind tokens with small decoders, for the tests of model. */
public final class DecoderGolden {
  private static final List<SynthShape> SHAPES =
      List.of(
          SynthShape.LLAMA_TINY,
          SynthShape.LLAMA3_TINY,
          SynthShape.QWEN2_TINY,
          SynthShape.QWEN3_TINY,
          SynthShape.GEMMA3_TINY,
          SynthShape.GPT2_TINY);

  private static final int TOKENS = 80;

  /** Beside the first tokens those around the end of a page and far behind a window. */
  private static final int[] POSITIONS = {0, 1, 15, 16, 31, 32, 50, 79};

  private static final int SAMPLES = 16;

  private DecoderGolden() {}

  /** Writes the file that is named. */
  public static void main(String[] arguments) throws IOException {
    Path out = Path.of(arguments[0]);
    Path work = Files.createTempDirectory("decoder-golden");
    Path model = work.resolve("model.gguf");
    StringBuilder lines = new StringBuilder();
    lines.append(
        """
        # Logits that llama.cpp (%s) makes with synth models, seed %d; cache of f32, no flash attention.
        # Made by: bench/run decoder-golden. A line with shape, type and tokens; then for some positions
        # the position, the range of its logits, and %d of them at even distances from the first.
        """
            .formatted(LlamaCpp.fetch().version(), SynthModel.SEED, SAMPLES));
    try {
      for (SynthShape shape : SHAPES) {
        for (TensorType type : List.of(TensorType.F32, TensorType.Q8_0)) {
          SynthModel.write(shape, type, SynthModel.SEED, model, _ -> {});
          record(shape, type, model, lines);
        }
      }
      Path part = out.resolveSibling(out.getFileName() + ".part");
      Files.writeString(part, lines);
      Files.move(part, out, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(model);
      Files.delete(work);
    }
    System.out.println(out);
  }

  private static void record(SynthShape shape, TensorType type, Path model, StringBuilder lines) {
    int[] tokens = new Random(2).ints(TOKENS, 0, shape.architecture().vocabulary()).toArray();
    lines.append(shape.word()).append(' ').append(type.word()).append(' ');
    lines.append(
        Arrays.stream(tokens).mapToObj(Integer::toString).collect(Collectors.joining(" ")));
    lines.append('\n');
    try (LlamaModel loaded = LlamaModel.load(model);
        LlamaDecoder decoder = new LlamaDecoder(loaded, TOKENS)) {
      float[][] logits = decoder.decode(tokens);
      for (int position : POSITIONS) {
        float[] row = logits[position];
        float least = Float.POSITIVE_INFINITY;
        float greatest = Float.NEGATIVE_INFINITY;
        for (float logit : row) {
          least = Math.min(least, logit);
          greatest = Math.max(greatest, logit);
        }
        lines.append(position).append(' ').append(greatest - least);
        for (int i = 0; i < SAMPLES; i++) lines.append(' ').append(row[i * row.length / SAMPLES]);
        lines.append('\n');
      }
    }
  }
}
