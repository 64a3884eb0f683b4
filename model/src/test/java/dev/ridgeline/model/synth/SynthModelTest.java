package dev.ridgeline.model.synth;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokenizers;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(CONCURRENT)
class SynthModelTest {
  @TempDir private Path folder;

  private Path write(String name, TensorType type, long seed) {
    Path out = folder.resolve(name);
    SynthModel.write(SynthShape.MINILM_L6, type, seed, out, step -> {});
    return out;
  }

  @Test
  void theSameShapeTypeAndSeedGiveTheSameBytes() throws IOException {
    Path first = write("a.gguf", TensorType.F16, 7);
    assertThat(Files.mismatch(first, write("b.gguf", TensorType.F16, 7))).isEqualTo(-1);
    assertThat(Files.mismatch(first, write("c.gguf", TensorType.F16, 8))).isNotEqualTo(-1);
  }

  @Test
  void theFileHasTheShapeAndReadsTexts() {
    try (Gguf gguf = Gguf.open(write("a.gguf", TensorType.Q4_0, 1))) {
      assertThat(gguf.tensors()).hasSize(101);
      assertThat(gguf.tensor("blk.5.ffn_up.weight").type()).isEqualTo(TensorType.Q4_0);
      assertThat(gguf.tensor("token_embd.weight").shape()).containsExactly(384L, 30_522L);
      Tokenizer tokenizer = Tokenizers.of(gguf.metadata());
      Tokens tokens = new Tokens();
      tokenizer.encode("The quick brown fox, naïve café: 42 % of ΑΒΓ жук 一二!", tokens);
      for (int i = 0; i < tokens.size(); i++) {
        assertThat(tokens.get(i)).isNotEqualTo(tokenizer.specials().unknown());
      }
      assertThat(tokens.get(0)).isEqualTo(101);
      assertThat(tokens.get(tokens.size() - 1)).isEqualTo(102);
    }
  }

  @ParameterizedTest
  @EnumSource(SynthShape.class)
  void everyVocabularyHasTheRealSizeAndNoTokenTwice(SynthShape shape) {
    GgufVocabulary vocabulary = shape.vocabulary();
    assertThat(vocabulary.tokens()).hasSize(shape.architecture().vocabulary());
    assertThat(new HashSet<>(vocabulary.tokens())).hasSameSizeAs(vocabulary.tokens());
    assertThat(vocabulary.kinds()).hasSize(vocabulary.tokens().size());
  }

  @Test
  void theModelsOfSmallMindHaveItsParameters() {
    assertThat(parameters(SynthShape.SMALL)).isEqualTo(470_528);
    assertThat(parameters(SynthShape.MEDIUM)).isEqualTo(3_454_464);
    assertThat(SynthShape.MEDIUM.architecture().slots()).hasSize(53);
  }

  private static long parameters(SynthShape shape) {
    return shape.architecture().slots().stream()
        .mapToLong(slot -> slot.rows() * slot.columns())
        .sum();
  }

  @Test
  void numbersDependOnNothingButTheirPlace() {
    Slot slot = SynthShape.MINILM_L6.architecture().slots().getFirst();
    RandomNumbers numbers = RandomNumbers.of(slot, 1);
    MemorySegment together = MemorySegment.ofArray(new float[8 * 384]);
    MemorySegment alone = MemorySegment.ofArray(new float[384]);
    numbers.read(0, 8, together);
    numbers.read(5, 6, alone);
    assertThat(together.asSlice(5 * 384 * 4, 384 * 4).mismatch(alone)).isEqualTo(-1);
  }

  @Test
  void numbersKeepTheSizeOfWhatGoesThroughThem() {
    for (Slot slot : List.copyOf(SynthShape.BGE_BASE.architecture().slots())) {
      if (slot.kind() != Slot.Kind.MATRIX) continue;
      MemorySegment rows = MemorySegment.ofArray(new float[(int) (64 * slot.columns())]);
      RandomNumbers.of(slot, 3).read(0, 64, rows);
      double squares = 0;
      for (float number : rows.toArray(JAVA_FLOAT_UNALIGNED)) squares += number * number;
      assertThat(squares / 64).as(slot.name()).isBetween(0.95, 1.05);
    }
  }
}
