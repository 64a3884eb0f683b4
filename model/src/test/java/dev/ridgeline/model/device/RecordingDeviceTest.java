package dev.ridgeline.model.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.Strategy;
import dev.ridgeline.model.generate.Completion;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Listener;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Models run on a device that does everything later, and profiles tell what it did and when. */
@Isolated("records all that the process does")
class RecordingDeviceTest {
  private static final List<String> TEXTS =
      List.of("Where does the time go?", "Most of it", "goes into products of matrices, as ever.");

  private static final List<String> PROMPTS = List.of("once upon", "a time there was", "x");
  private static final Sampling LIKELIEST = Sampling.DEFAULT.withTemperature(0).withMaxTokens(20);

  @TempDir private Path folder;

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  private Path model(SynthShape shape) throws Exception {
    Path file = folder.resolve(shape + ".gguf");
    SynthModel.write(shape, TensorType.Q8_0, SynthModel.SEED, file, _ -> {});
    return file;
  }

  @ParameterizedTest
  @EnumSource(names = {"BERT_TINY", "EMBEDDINGGEMMA_TINY", "QWEN3_EMBEDDING_TINY"})
  void embeddersHaveTheBitsOfTheProcessor(SynthShape shape) throws Exception {
    Path model = model(shape);
    EmbedderOptions options = EmbedderOptions.DEFAULT.withWorkers(1);
    List<float[]> wanted;
    try (Embedder embedder = Embedder.open(model, options)) {
      wanted = embedder.embed(TEXTS);
    }
    for (Strategy strategy : Strategy.values()) {
      EmbedderOptions there = options.withDevice(RecordingProvider.CHOICE).withStrategy(strategy);
      long before = RecordingDevice.OPERATIONS.get();
      try (Embedder embedder = Embedder.open(model, there)) {
        assertThat(embedder.plan(3)).containsEntry("device", "recording");
        for (int again = 0; again < 2; again++) {
          assertThat(embedder.embed(TEXTS)).as("%s", strategy).containsExactlyElementsOf(wanted);
        }
      }
      assertThat(RecordingDevice.OPERATIONS.get()).isGreaterThan(before);
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {"LLAMA_TINY", "LLAMA3_TINY", "QWEN2_TINY", "QWEN3_TINY", "GEMMA3_TINY", "GPT2_TINY"})
  void generatorsSayWhatTheySayOnTheProcessor(SynthShape shape) throws Exception {
    Path model = model(shape);
    GeneratorOptions options = GeneratorOptions.DEFAULT.withWorkers(1).withSequences(2);
    assertThat(generate(model, options.withDevice(RecordingProvider.CHOICE)))
        .isEqualTo(generate(model, options));
  }

  private static List<String> generate(Path model, GeneratorOptions options) {
    try (Generator generator = Generator.open(model, options)) {
      return generator.generate(PROMPTS, LIKELIEST, Listener.DEAF).stream()
          .map(Completion::text)
          .toList();
    }
  }

  @Test
  void itsTimesAddUpAndThreadsThatWaitAreSeenWaiting() throws Exception {
    Path model = model(SynthShape.LLAMA_TINY);
    GeneratorOptions options = GeneratorOptions.DEFAULT.withDevice(RecordingProvider.CHOICE);
    Profile profile;
    long operations;
    long ticks;
    try (Generator generator = Generator.open(model, options)) {
      generator.generate("warm");
      Profiler.start(Options.of(Level.TRACE).withoutCalibration());
      operations = RecordingDevice.OPERATIONS.get();
      ticks = RecordingDevice.TICKS.get();
      generator.generate(PROMPTS, LIKELIEST, Listener.DEAF);
      operations = RecordingDevice.OPERATIONS.get() - operations;
      ticks = RecordingDevice.TICKS.get() - ticks;
      profile = Profiler.stop();
    }
    CallTree tree = profile.tree();
    Profile.Device device = profile.devices().getFirst();
    assertThat(profile.devices()).hasSize(1);
    assertThat(device.name()).isEqualTo(RecordingDevice.QUEUE);
    long calls = tree.nodes().stream().mapToLong(CallTree.Node::deviceCalls).sum();
    assertThat(calls).isEqualTo(operations).isPositive();
    assertThat(tree.nodes().stream().mapToLong(CallTree.Node::deviceSelfNanos).sum())
        .isEqualTo(profile.deviceNanos())
        .isEqualTo(device.busyNanos());
    // Ticks of a third of a nanosecond, rounded at both ends of an operation.
    assertThat(profile.deviceNanos()).isCloseTo(ticks / 3, within(2 * operations));
    CallTree.Node matmul = tree.find("decode", "layer 0", "attention", "qkv", "matmul");
    assertThat(matmul).as("%s", tree.nodes()).isNotNull();
    assertThat(matmul.deviceCalls()).isEqualTo(matmul.calls());
    assertThat(matmul.deviceWork().bytes()).isPositive();
    assertThat(matmul.work().declared()).as("no thread multiplies").isFalse();
    assertThat(tree.find("decode", "wait").totalNanos()).isPositive();
    assertThat(tree.find("decode", "wait").deviceNanos()).isZero();
    assertThat(profile.timeline().getLast().trace().size()).isEqualTo((int) operations);
  }

  @Test
  void aDeviceThatIsNotThereIsRefusedByName() throws Exception {
    Path model = model(SynthShape.BERT_TINY);
    EmbedderOptions options =
        EmbedderOptions.DEFAULT.withDevice(RecordingProvider.CHOICE.withName("abacus"));
    assertThatThrownBy(() -> Embedder.open(model, options))
        .hasMessage("there is no device abacus; there are [cpu, recording]");
  }
}
