package dev.ridgeline.tensor.quant;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ridgeline.oracle.LlamaCpp;
import dev.ridgeline.oracle.LlamaModel;
import dev.ridgeline.tensor.SharedData;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufException;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RequantizerTest {
  @TempDir private static Path models;
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aFileHasTheTensorsThatLlamaCppMakes(FileType type) {
    for (boolean tied : new boolean[] {false, true}) {
      Path model = tinyLlama(tied ? 3 : 9, tied);
      assertSameAsLlamaCpp(model, type);
    }
  }

  @ParameterizedTest
  @EnumSource
  void rowsThatFillNoLargeBlockFallBackAsInLlamaCpp(FileType type) {
    assertSameAsLlamaCpp(SharedData.file("stories260K.gguf"), type);
  }

  @Test
  void quantizedTensorsAreQuantizedAgainAsInLlamaCpp() {
    assertSameAsLlamaCpp(SharedData.file("stories15M-q8_0.gguf"), FileType.Q4_K_M);
  }

  @Test
  void llamaCppLoadsTheFile() {
    for (FileType type : List.of(FileType.Q4_K_M, FileType.Q8_0, FileType.F16)) {
      Path out = folder.resolve(type.word() + ".gguf");
      quantize(SharedData.file("stories15M-q8_0.gguf"), type, out, 2);
      try (LlamaModel loaded = LlamaModel.load(out)) {
        assertThat(loaded.tokens()).isEqualTo(32_000);
      }
    }
  }

  @Test
  void theNumberOfWorkersChangesNoBit() {
    Path model = SharedData.file("stories15M-q8_0.gguf");
    Path one = folder.resolve("one.gguf");
    Path three = folder.resolve("three.gguf");
    quantize(model, FileType.Q4_K_M, one, 1);
    quantize(model, FileType.Q4_K_M, three, 3);
    assertThat(three).hasSameBinaryContentAs(one);
  }

  @Test
  void normsBiasesAndPositionsAreLeftAlone() {
    Path model = folder.resolve("bert.gguf");
    new GgufWriter()
        .put("general.architecture", "bert")
        .put("bert.block_count", 1)
        .tensor("token_embd.weight", TensorType.F32, new long[] {384, 2}, zeros(384 * 8))
        .tensor("position_embd.weight", TensorType.F32, new long[] {384, 2}, zeros(384 * 8))
        .tensor("token_types.weight", TensorType.F32, new long[] {384, 2}, zeros(384 * 8))
        .tensor("token_embd_norm.weight", TensorType.F32, new long[] {384}, zeros(384 * 4))
        .tensor("blk.0.ffn_down.bias", TensorType.F32, new long[] {384}, zeros(384 * 4))
        .tensor("blk.0.attn_q.weight", TensorType.F32, new long[] {384, 2}, zeros(384 * 8))
        .tensor("blk.0.ffn_up.weight", TensorType.F32, new long[] {20, 2}, zeros(160))
        .write(model);
    assertThat(types(model, FileType.Q4_K_M))
        .containsExactly(
            TensorType.Q8_0, // the last resort of what is also the output
            TensorType.F32,
            TensorType.F32,
            TensorType.F32,
            TensorType.F32,
            TensorType.Q5_0,
            TensorType.F16);
  }

  @Test
  void aPartOfAModelIsRefused() {
    Path model = folder.resolve("part.gguf");
    new GgufWriter().put("split.count", 3).write(model);
    assertThatExceptionOfType(GgufException.class)
        .isThrownBy(() -> quantize(model, FileType.Q8_0, folder.resolve("out.gguf"), 1))
        .withMessage(model + ": is one of 3 parts of a model: join them first");
  }

  @Test
  void wordsOfTypesAreThoseOfLlamaCpp() {
    assertThat(FileType.of("q8_0")).isEqualTo(FileType.Q8_0);
    assertThat(FileType.of("Q4_K")).isEqualTo(FileType.Q4_K_M);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileType.of("q1_k"))
        .withMessageStartingWith("'q1_k' is none of f32, f16, bf16, q8_0");
  }

  @Test
  void filesOfTypesThatAreOnlyReadHaveTheirNamesAndAreNotWritten() {
    assertThat(FileType.wordOfCode(12)).isEqualTo("q3_k_m");
    assertThat(FileType.wordOfCode(15)).isEqualTo("q4_k_m");
    assertThat(FileType.wordOfCode(19)).isNull();
    for (String word : List.of("q3_k", "Q3_K_M", "mxfp4", "IQ4_XS")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> FileType.of(word))
          .withMessage(
              "'%s' can be read but not written: choose one of %s"
                  .formatted(word, FileType.words()));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ridgeline.tensor.quant.Blocks#readOnlyTypes")
  void aTensorThatIsOnlyReadBecomesOneThatCanBeWritten(TensorType type) {
    Path model = folder.resolve("model.gguf");
    Path out = folder.resolve("out.gguf");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment blocks = Blocks.of(type, 512, 3, arena);
      new GgufWriter()
          .tensor("a.weight", type, new long[] {256, 2}, GgufWriter.Source.of(blocks))
          .write(model);
      quantize(model, FileType.F32, out, 1);
      MemorySegment numbers = arena.allocate(4 * 512, 64);
      Quantizer.dequantize(type, blocks.address(), 512, numbers.address());
      try (Gguf file = Gguf.open(out)) {
        assertThat(file.tensor("a.weight").type()).isEqualTo(TensorType.F32);
        assertThat(file.tensor("a.weight").data().mismatch(numbers)).isEqualTo(-1);
      }
    }
  }

  private void assertSameAsLlamaCpp(Path model, FileType type) {
    LlamaCpp llama = LlamaCpp.fetch();
    Path theirs = folder.resolve("theirs.gguf");
    Path ours = folder.resolve("ours.gguf");
    llama.quantizeFile(model, theirs, type.code());
    quantize(model, type, ours, 2);
    try (Gguf expected = Gguf.open(theirs);
        Gguf actual = Gguf.open(ours)) {
      assertThat(typesByName(actual)).isEqualTo(typesByName(expected));
      for (GgufTensor tensor : expected.tensors()) {
        assertThat(actual.tensor(tensor.name()).data().mismatch(tensor.data()))
            .as(tensor.name())
            .isEqualTo(-1);
      }
      assertThat(actual.metadata().keys()).hasSameElementsAs(expected.metadata().keys());
      for (String key : expected.metadata().keys()) {
        assertThat(actual.metadata().value(key)).as(key).isEqualTo(expected.metadata().value(key));
      }
    }
  }

  private static void quantize(Path model, FileType type, Path out, int workers) {
    try (Gguf file = Gguf.open(model)) {
      List<String> begun = new ArrayList<>();
      Requantizer.quantize(
          file, type, out, Workers.of(workers), step -> begun.add(step.tensor().name()));
      assertThat(begun).hasSameSizeAs(file.tensors());
    }
  }

  private static List<TensorType> types(Path model, FileType type) {
    try (Gguf file = Gguf.open(model)) {
      return Requantizer.plan(file, type).stream().map(Requantizer.Step::to).toList();
    }
  }

  private static Map<String, TensorType> typesByName(Gguf file) {
    Map<String, TensorType> types = new TreeMap<>();
    for (GgufTensor tensor : file.tensors()) types.put(tensor.name(), tensor.type());
    return types;
  }

  private static Path tinyLlama(int layers, boolean tied) {
    Path path = models.resolve("tiny-%d.gguf".formatted(layers));
    if (Files.exists(path)) return path;
    try (Gguf vocabulary = Gguf.open(SharedData.file("stories260K.gguf"))) {
      TinyLlama.write(vocabulary, layers, tied, path);
    }
    return path;
  }

  /** In blocks it could become a number; also where the type of a tensor stays. */
  @ParameterizedTest
  @EnumSource(names = {"F32", "Q8_0", "Q4_0", "Q4_K_M"})
  void aNumberThatIsNotFiniteIsRefusedAndNothingIsWritten(FileType type) {
    MemorySegment numbers = MemorySegment.ofArray(new byte[4 * 512]);
    numbers.set(JAVA_FLOAT_UNALIGNED, 4 * 300, Float.NEGATIVE_INFINITY);
    MemorySegment blocks = MemorySegment.ofArray(new byte[34 * 16]);
    blocks.set(JAVA_SHORT_UNALIGNED, 34 * 9, (short) 0x7e00);
    Path model = folder.resolve("damaged.gguf");
    Path out = folder.resolve("none.gguf");
    for (boolean floats : new boolean[] {true, false}) {
      new GgufWriter()
          .tensor(
              "blk.0.ffn_up.weight",
              floats ? TensorType.F32 : TensorType.Q8_0,
              new long[] {256, 2},
              GgufWriter.Source.of(floats ? numbers : blocks))
          .write(model);
      assertThatExceptionOfType(GgufException.class)
          .isThrownBy(() -> quantize(model, type, out, 2))
          .withMessage(
              model + ": blk.0.ffn_up.weight: a number is not finite: the file is damaged");
      assertThat(out).doesNotExist();
    }
  }

  private static GgufWriter.Source zeros(int bytes) {
    return GgufWriter.Source.of(java.lang.foreign.MemorySegment.ofArray(new byte[bytes]));
  }
}
