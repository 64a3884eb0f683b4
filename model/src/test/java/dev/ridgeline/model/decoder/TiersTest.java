package dev.ridgeline.model.decoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.oracle.Needs;
import dev.ridgeline.oracle.OtherJvm;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** A file gives the same bits in every tier that this processor has, each in a JVM of its own. */
@Execution(CONCURRENT)
@Tag("own-jvm")
class TiersTest {
  private static final int LONGEST = 70;

  @TempDir Path folder;

  /** Says a digest of what each model makes of the same texts. */
  static final class Program {
    private Program() {}

    public static void main(String[] files) {
      for (String file : files) {
        Path model = Path.of(file);
        boolean encoder = file.contains(SynthShape.BERT_TINY.word());
        int digest = Arrays.deepHashCode(encoder ? vectors(model) : logits(model));
        System.out.printf("%s %08x%n", model.getFileName(), digest);
      }
    }

    private static float[][] vectors(Path model) {
      try (Embedder embedder = Embedder.open(model)) {
        List<float[]> vectors = new ArrayList<>(embedder.embed(texts()));
        vectors.add(embedder.embed("alone"));
        return vectors.toArray(float[][]::new);
      }
    }

    private static List<String> texts() {
      return List.of("one", "where does the time go", "a longer text of many words ".repeat(9));
    }

    /** Many tokens at once, then one at a time, as a prompt and its answer are read. */
    private static float[][] logits(Path model) {
      int[] tokens = new Random(3).ints(LONGEST, 0, 600).toArray();
      try (Reader reader = new Reader(model, TensorType.F16, LONGEST, 1)) {
        List<float[]> all = new ArrayList<>();
        all.addAll(List.of(reader.add(0, Arrays.copyOf(tokens, LONGEST - 3)).all()));
        for (int i = LONGEST - 3; i < LONGEST; i++) {
          all.add(reader.add(0, tokens[i]).last()[0]);
        }
        return all.toArray(float[][]::new);
      }
    }
  }

  @Test
  void modelsHaveTheSameBitsInEveryTier() {
    List<Tier> tiers = Tier.allOf(CpuFeatures.here());
    Needs.AVX_512.orSkip(tiers.size() > 1);
    String[] files = files();
    Map<Tier, OtherJvm> started = new LinkedHashMap<>();
    for (Tier tier : tiers) {
      var options = List.of("-Dridgeline.tier=" + tier.word());
      started.put(tier, new OtherJvm(options, Program.class, files));
    }
    Map<Tier, String> said = new LinkedHashMap<>();
    started.forEach((tier, jvm) -> said.put(tier, jvm.said()));
    String lowest = said.get(tiers.getFirst());
    assertThat(lowest.lines()).hasSize(files.length);
    assertThat(said).allSatisfy((_, each) -> assertThat(each).isEqualTo(lowest));
  }

  private String[] files() {
    List<String> files = new ArrayList<>();
    for (SynthShape shape : List.of(SynthShape.BERT_TINY, SynthShape.LLAMA_TINY)) {
      for (TensorType type : List.of(TensorType.Q8_0, TensorType.Q4_0, TensorType.Q4_K)) {
        Path file = folder.resolve(shape.word() + "-" + type.word() + ".gguf");
        SynthModel.write(shape, type, SynthModel.SEED, file, _ -> {});
        files.add(file.toString());
      }
    }
    return files.toArray(String[]::new);
  }
}
