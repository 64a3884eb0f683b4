package dev.ridgeline.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Listener;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A reader of any architecture finds the parts of a layer under the same names. */
class LayerScopesTest {
  private static final List<List<String>> PARTS =
      List.of(
          List.of("attention", "qkv", "matmul"),
          List.of("attention", "heads"),
          List.of("attention", "output", "matmul"),
          List.of("ffn", "up", "matmul"),
          List.of("ffn", "down", "matmul"));

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ALL, names = "(LLAMA|LLAMA3|QWEN2|QWEN3|GEMMA3|GPT2)_TINY")
  void ofADecoderInBothPhases(SynthShape shape) {
    try (Generator generator = Generator.open(model(shape), GeneratorOptions.DEFAULT)) {
      Profiler.start(Options.of(Level.TIME).withoutCalibration());
      CallTree tree;
      try {
        int[][] prompt = {{300, 301, 302}};
        generator.generate(prompt, Sampling.GREEDY.withMaxTokens(3), Listener.DEAF);
      } finally {
        tree = Profiler.stop().tree();
      }
      assertParts(tree, "prefill");
      assertParts(tree, "decode");
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ALL, names = "(EMBEDDINGGEMMA|QWEN3_EMBEDDING)_TINY")
  void ofAnEncoder(SynthShape shape) {
    EmbedderOptions options = EmbedderOptions.DEFAULT.withStrategy(Strategy.PACKED).withWorkers(1);
    try (Embedder embedder = Embedder.open(model(shape), options)) {
      Profiler.start(Options.of(Level.TIME).withoutCalibration());
      CallTree tree;
      try {
        embedder.embed(List.of("a", "b"), new float[2 * embedder.dimensions()]);
      } finally {
        tree = Profiler.stop().tree();
      }
      assertParts(tree, "layer 0");
    }
  }

  private Path model(SynthShape shape) {
    Path model = folder.resolve("tiny.gguf");
    SynthModel.write(shape, TensorType.F32, 1, model, _ -> {});
    return model;
  }

  /** The first layer in a scope has all parts with their work. */
  private static void assertParts(CallTree tree, String phase) {
    CallTree.Node layer =
        tree.nodes().stream()
            .filter(node -> node.name().equals("layer 0") && node.path().contains(phase))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no layer in " + phase));
    for (List<String> part : PARTS) {
      CallTree.Node at = layer;
      for (String name : part) {
        at =
            at.children().stream()
                .filter(child -> child.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(phase + " has no " + part));
      }
      assertThat(at.work().flops()).as("%s of %s", part, phase).isPositive();
    }
  }
}
