package dev.ridgeline.model.imports;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.shape.Slot;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class TruncationTest {
  private static final Path PATH = Path.of("some", "file");

  private static Mapping mapping(byte[] bytes) {
    return mapping(bytes, PATH);
  }

  static Mapping mapping(byte[] bytes, Path path) {
    return new Mapping(path, MemorySegment.ofArray(bytes), Arena.ofConfined());
  }

  @Test
  void anOnnxFileNamesTheTensorThatIsCutOff() {
    byte[] whole = TinyBert.onnx();
    for (Slot slot : TinyBert.SHAPE.slots()) {
      if (slot.kind() == Slot.Kind.MATRIX) continue; // their names are made up
      int name = indexOfLast(whole, slot.original());
      int cut = name + slot.original().length() + 8;
      assertThatThrownBy(() -> OnnxFile.of(mapping(Arrays.copyOf(whole, cut))))
          .isInstanceOf(ImportException.class)
          .hasMessageStartingWith(
              PATH + ": the file is truncated: tensor " + slot.original() + " ");
    }
  }

  @Test
  void anOnnxFileIsRefusedWhereverItIsCut() {
    byte[] whole = TinyBert.onnx();
    for (int length = 1; length < whole.length; length += 7) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> OnnxFile.of(mapping(cut)))
          .as("cut at %d", length)
          .isInstanceOf(ImportException.class)
          .hasMessageStartingWith(PATH + ": ");
    }
  }

  @Test
  void aSafetensorsFileNamesTheTensorThatIsCutOff() {
    List<Slot> slots = TinyBert.SHAPE.slots();
    byte[] whole = TinyBert.safetensors(slots, "");
    byte[] cut = Arrays.copyOf(whole, whole.length - 1);
    assertThatThrownBy(() -> Safetensors.of(mapping(cut)))
        .isInstanceOf(ImportException.class)
        .hasMessage(
            PATH
                + ": the file is truncated: tensor "
                + slots.getLast().original()
                + " is cut off (128 bytes, 127 are there)");
  }

  @Test
  void dataInOtherFilesIsRefused() {
    Proto tensor =
        new Proto()
            .number(1, 4)
            .number(2, 1)
            .string(8, "far")
            .message(13, new Proto().string(1, "location").string(2, "weights.bin"))
            .number(14, 1);
    byte[] file = TinyBert.onnx(new Proto().message(5, tensor));
    assertThatThrownBy(() -> OnnxFile.of(mapping(file)))
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("tensor far is kept in another file (external data)");
  }

  @Test
  void absurdShapesAreRefusedBeforeAnythingIsAllocated() {
    Proto tensor =
        new Proto()
            .number(1, Long.MAX_VALUE)
            .number(1, Long.MAX_VALUE)
            .number(2, 1)
            .string(8, "huge")
            .bytes(9, new byte[4]);
    byte[] file = TinyBert.onnx(new Proto().message(5, tensor));
    assertThatThrownBy(() -> OnnxFile.of(mapping(file)))
        .isInstanceOf(ImportException.class)
        .hasMessageContaining("tensor huge has the absurd shape");
  }

  private static int indexOfLast(byte[] bytes, String text) {
    return new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf(text);
  }
}
