package dev.ridgeline.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a file says of its tensors is not believed. */
class WeightsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(names = {"LLAMA_TINY", "GPT2_TINY", "EMBEDDINGGEMMA_TINY", "QWEN3_EMBEDDING_TINY"})
  void aTensorOfIntegersIsRefusedByItsName(SynthShape shape) throws IOException {
    Path model = folder.resolve("model.gguf");
    SynthModel.write(shape, TensorType.F32, SynthModel.SEED, model, _ -> {});
    boolean writes = shape == SynthShape.LLAMA_TINY || shape == SynthShape.GPT2_TINY;
    List<GgufTensor> tensors;
    try (Gguf file = Gguf.open(model)) {
      tensors = file.tensors();
    }
    byte[] bytes = Files.readAllBytes(model);
    for (GgufTensor tensor : List.of(tensors.getFirst(), tensors.get(3), tensors.getLast())) {
      int at = type(bytes, tensor);
      bytes[at] = (byte) TensorType.I32.code();
      Files.write(model, bytes);
      bytes[at] = (byte) TensorType.F32.code();
      assertThatThrownBy(() -> (writes ? Generator.open(model) : Embedder.open(model)).close())
          .isInstanceOf(ModelException.class)
          .hasMessage("%s: tensor %s is i32, which is not a type of weights", model, tensor.name());
    }
  }

  /** Where the type of a tensor is: behind the length and letters of its name and its sizes. */
  private static int type(byte[] file, GgufTensor tensor) {
    byte[] name = tensor.name().getBytes(UTF_8);
    ByteBuffer wanted = ByteBuffer.allocate(8 + name.length).order(ByteOrder.LITTLE_ENDIAN);
    wanted.putLong(name.length).put(name);
    for (int at = 0; at < file.length - wanted.capacity(); at++) {
      if (ByteBuffer.wrap(file, at, wanted.capacity()).equals(wanted.rewind())) {
        return at + wanted.capacity() + 4 + 8 * tensor.shape().size();
      }
    }
    throw new AssertionError(tensor.name() + " is not in the file");
  }
}
