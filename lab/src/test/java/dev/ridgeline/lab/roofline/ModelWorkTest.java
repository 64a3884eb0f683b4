package dev.ridgeline.lab.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.lab.roofline.ModelWork.Part;
import dev.ridgeline.lab.roofline.ModelWork.Task;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ModelWorkTest {
  @TempDir private Path folder;

  private Gguf model(SynthShape shape) {
    Path file = folder.resolve("model.gguf");
    SynthModel.write(shape, TensorType.F32, 1, file, _ -> {});
    return Gguf.open(file);
  }

  /** Of every architecture: each weight is read once, and multiplied once for one token. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "LLAMA_TINY",
        "LLAMA3_TINY",
        "QWEN2_TINY",
        "QWEN3_TINY",
        "GEMMA3_TINY",
        "GPT2_TINY",
        "EMBEDDINGGEMMA_TINY",
        "QWEN3_EMBEDDING_TINY",
        "MINILM_L6"
      })
  void everyMatrixIsSomebodysWork(SynthShape shape) {
    try (Gguf file = model(shape)) {
      ModelWork work = ModelWork.of(file);
      List<Task> tasks = work.embeds() ? work.embed(1, 1) : work.decode(1);
      long matrices = 0;
      for (Slot slot : work.shape().slots()) {
        if (slot.kind() == Slot.Kind.MATRIX) matrices += slot.rows() * slot.columns();
      }
      // Where there is no matrix for logits, the table of tokens is it.
      boolean tied = !work.embeds() && !file.has("output.weight");
      if (tied) matrices += file.tensor("token_embd.weight").count();
      assertThat(tasks.stream().mapToLong(Task::weightBytes).sum()).isEqualTo(4 * matrices);
      double products =
          tasks.stream()
              .filter(task -> task.part() != Part.SCORES)
              .flatMap(task -> task.operations().values().stream())
              .mapToDouble(Double::doubleValue)
              .sum();
      assertThat(products).isEqualTo(2.0 * matrices);
      assertThat(tasks.stream().filter(task -> task.layer() >= 0))
          .hasSize(4 * work.layers())
          .allMatch(task -> !task.operations().isEmpty());
    }
  }

  /** 6 layers of 384 with 12 heads of 32; texts see themselves alone, and whole. */
  @Test
  void anEncodersTextsSeeThemselves() {
    try (Gguf file = model(SynthShape.MINILM_L6)) {
      Task scores = task(ModelWork.of(file).embed(3, 10), 0, Part.SCORES);
      assertThat(scores.operations().get(TensorType.F32)).isEqualTo(3 * 12 * 100 * (4.0 * 32 + 12));
      assertThat(scores.cacheBytes()).isZero();
      Task ffn = task(ModelWork.of(file).embed(3, 10), 5, Part.FFN);
      assertThat(ffn.operations().get(TensorType.F32)).isEqualTo(2.0 * 30 * 2 * 384 * 1536);
    }
  }

  /** 3 heads and 1 key head of 32; a window of 16 in all but the 6th of 7 layers. */
  @Test
  void aDecodedTokenReadsTheCacheThatItSees() {
    try (Gguf file = model(SynthShape.GEMMA3_TINY)) {
      List<Task> tasks = ModelWork.of(file).decode(100);
      assertThat(task(tasks, 0, Part.SCORES).cacheBytes()).isEqualTo(16 * 2 * 32 * 2);
      assertThat(task(tasks, 5, Part.SCORES).cacheBytes()).isEqualTo(100 * 2 * 32 * 2);
      assertThat(task(tasks, 0, Part.SCORES).operations().get(TensorType.F32))
          .isEqualTo(3 * 16 * (4.0 * 32 + 12));
      assertThat(task(tasks, 5, Part.SCORES).operations().get(TensorType.F32))
          .isEqualTo(3 * 100 * (4.0 * 32 + 12));
    }
  }

  /** 2 layers; behind the heads of the last one only the last token goes on. */
  @Test
  void ofAPromptOnlyTheLastTokenGoesOnBehindTheLastHeads() {
    try (Gguf file = model(SynthShape.LLAMA_TINY)) {
      List<Task> tasks = ModelWork.of(file).prefill(50);
      double first = task(tasks, 0, Part.FFN).operations().get(TensorType.F32);
      assertThat(task(tasks, 1, Part.FFN).operations().get(TensorType.F32)).isEqualTo(first / 50);
      assertThat(task(tasks, 1, Part.LINEAR).operations())
          .isEqualTo(task(tasks, 0, Part.LINEAR).operations());
      // Causal: 50 · 51 / 2 pairs.
      assertThat(task(tasks, 0, Part.SCORES).operations().get(TensorType.F32))
          .isEqualTo(8 * 1275 * (4.0 * 32 + 12));
      assertThat(task(tasks, -1, Part.HEAD).operations().get(TensorType.F32))
          .isEqualTo(2.0 * 600 * 256);
    }
  }

  @Test
  void partsAddUpToTheTotalAndTheLargestPartSaysWhatBinds() {
    try (Gguf file = model(SynthShape.LLAMA_TINY)) {
      ModelWork work = ModelWork.of(file);
      SpeedOfLight light = SpeedOfLight.of(work.decode(100), MadeUp.roof());
      double parts = light.parts().stream().mapToDouble(SpeedOfLight.Sum::seconds).sum();
      assertThat(light.total().seconds()).isCloseTo(parts, within(1e-15));
      assertThat(light.seconds()).isEqualTo(light.total().seconds());
      assertThat(light.level()).isEqualTo(Level.L3);
      assertThat(light.total().limit()).isEqualTo("L3 read");
      Phase prefill = Phase.generation(work, 200, 100, MadeUp.roof()).getFirst();
      assertThat(prefill.light().total().limit()).isEqualTo("f32 compute");
      assertThat(prefill.rate()).isCloseTo(200 / prefill.light().seconds(), within(1e-6));
    }
  }

  private static Task task(List<Task> tasks, int layer, Part part) {
    return tasks.stream()
        .filter(task -> task.layer() == layer && task.part() == part)
        .findFirst()
        .orElseThrow();
  }
}
