package dev.ridgeline.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a model says it will take is what it takes. */
@Isolated("counts what the whole process holds")
class PlannedMemoryTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(names = {"LLAMA_TINY", "LLAMA3_TINY", "QWEN2_TINY", "GEMMA3_TINY", "GPT2_TINY"})
  void aDecoderTakesWhatItPlans(SynthShape shape) {
    Path model = model(shape, TensorType.Q8_0);
    GeneratorOptions options = GeneratorOptions.DEFAULT.withWorkers(2).withSequences(3);
    Map<String, Long> before = owned();
    Map<String, Long> planned = Generator.memory(model, options);
    assertThat(owned()).as("planning takes nothing").isEqualTo(before);
    assertThat(planned).containsKeys("kv cache", "weights", "weights (mapped)", "workspace");
    try (Generator _ = Generator.open(model, options)) {
      assertThat(owned()).isEqualTo(sum(before, planned));
    }
    assertThat(owned()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDINGGEMMA_TINY", "QWEN3_EMBEDDING_TINY"})
  void anEncoderTakesWhatItPlans(SynthShape shape) {
    Path model = model(shape, TensorType.F32);
    EmbedderOptions options = EmbedderOptions.DEFAULT.withWorkers(1).withBatch(4);
    Map<String, Long> before = owned();
    Map<String, Long> planned = Embedder.memory(model, options);
    try (Embedder _ = Embedder.open(model, options)) {
      assertThat(owned()).isEqualTo(sum(before, planned));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EMBEDDINGGEMMA_TINY", "QWEN3_EMBEDDING_TINY"})
  void whatTextsTakeOnTopIsPlannedToo(SynthShape shape) {
    Path model = model(shape, TensorType.Q8_0);
    for (Strategy strategy : List.of(Strategy.COARSE, Strategy.PACKED)) {
      EmbedderOptions options =
          EmbedderOptions.DEFAULT.withWorkers(2).withBatch(4).withStrategy(strategy);
      Map<String, Long> before = owned();
      Map<String, Long> planned = Embedder.memory(model, options, 8);
      assertThat(owned()).as("planning takes nothing").isEqualTo(before);
      try (Embedder embedder = Embedder.open(model, options)) {
        embedder.embed(Collections.nCopies(8, "a text"));
        assertThat(owned()).as("%s", strategy).isEqualTo(sum(before, planned));
      }
    }
  }

  private Path model(SynthShape shape, TensorType type) {
    Path model = folder.resolve("model.gguf");
    SynthModel.write(shape, type, SynthModel.SEED, model, _ -> {});
    return model;
  }

  /** What each owner holds at this moment; tests before may have left something. */
  private static Map<String, Long> owned() {
    Profiler.start(Options.of(Level.TIME));
    Map<String, Long> owned = new TreeMap<>();
    for (Profile.LedgerEntry entry : Profiler.stop().ledger()) {
      if (entry.bytes() > 0) owned.put(entry.owner(), entry.bytes());
    }
    return owned;
  }

  private static Map<String, Long> sum(Map<String, Long> a, Map<String, Long> b) {
    Map<String, Long> sum = new TreeMap<>(a);
    b.forEach((owner, bytes) -> sum.merge(owner, bytes, Long::sum));
    return sum;
  }
}
