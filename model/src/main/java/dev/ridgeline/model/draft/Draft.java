package dev.ridgeline.model.draft;

import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.GgufWriter;
import dev.ridgeline.tensor.quant.FileType;
import dev.ridgeline.tensor.quant.Mix;
import dev.ridgeline.tensor.quant.Quantizer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A GGUF file that is planned and not written yet: keys, and tensors whose numbers come when the
 * file has come to them, a few rows at a time.
 */
public final class Draft {
  /** f32 numbers that are turned into blocks at a time. */
  private static final int CHUNK = 1 << 18;

  private static final int QUANTIZATION_VERSION = 2;

  private final Map<String, Object> keys = new LinkedHashMap<>();
  private final Map<Slot, Numbers> tensors = new LinkedHashMap<>();

  /** A model of this kind and name, without tensors yet. */
  public Draft(Shape architecture, String name, GgufVocabulary vocabulary) {
    put("general.architecture", architecture.word());
    put("general.name", name);
    architecture.describe(this::put);
    vocabulary.describe(this::put);
  }

  /** Sets a key; see {@link GgufWriter#put}. */
  public Draft put(String key, Object value) {
    keys.put(key, value);
    return this;
  }

  /** Adds a tensor. */
  public Draft add(Slot slot, Numbers numbers) {
    tensors.put(slot, numbers);
    return this;
  }

  /**
   * Writes the file.
   *
   * @param type of most matrices; those that a model is sensitive to get a better one, as {@link
   *     Mix} has it, and the rest stays f32
   * @param progress is told each tensor as it begins: {@code 3/101 blk.0.attn_q.weight}
   */
  public void write(Path out, TensorType type, Consumer<String> progress) {
    GgufWriter writer = new GgufWriter();
    keys.forEach(writer::put);
    writer.put("general.file_type", FileType.of(type).code());
    if (type.quantized()) writer.put("general.quantization_version", QUANTIZATION_VERSION);
    Mix mix = mix(type);
    int[] step = {0};
    tensors.forEach(
        (slot, numbers) -> {
          TensorType stored = slot.quantizable() ? mix.of(part(slot)) : TensorType.F32;
          long[] shape =
              slot.vector()
                  ? new long[] {slot.columns()}
                  : new long[] {slot.columns(), slot.rows()};
          writer.tensor(
              slot.name(),
              stored,
              shape,
              channel -> {
                progress.accept("%d/%d %s".formatted(++step[0], tensors.size(), slot.name()));
                write(slot, stored, numbers, channel);
              });
        });
    writer.write(out);
  }

  private Mix mix(TensorType type) {
    int layers =
        keys.get(keys.get("general.architecture") + ".block_count") instanceof Integer n ? n : 0;
    return new Mix(
        FileType.of(type), layers, 0, tensors.keySet().stream().map(Draft::part).toList());
  }

  private static Mix.Part part(Slot slot) {
    return new Mix.Part(slot.name(), TensorType.F32, slot.columns(), slot.quantizable());
  }

  /** Which matrices cannot be of a type and what they become, in a line; null where all can. */
  public String substitutes(TensorType type) {
    Mix mix = mix(type);
    List<Slot> matrices = tensors.keySet().stream().filter(Slot::quantizable).toList();
    List<Slot> others =
        matrices.stream().filter(slot -> slot.columns() % type.blockSize() != 0).toList();
    if (others.isEmpty()) return null;
    return "%s needs rows that are multiples of %d; %d of %d matrices (rows of %s) become %s"
        .formatted(
            type.word(),
            type.blockSize(),
            others.size(),
            matrices.size(),
            joined(others, slot -> Long.toString(slot.columns())),
            joined(others, slot -> mix.of(part(slot)).word()));
  }

  private static String joined(List<Slot> slots, Function<Slot, String> part) {
    return slots.stream().map(part).distinct().collect(Collectors.joining(" and "));
  }

  private static void write(
      Slot slot, TensorType type, Numbers numbers, WritableByteChannel channel) throws IOException {
    long columns = slot.columns();
    long most = Math.clamp(CHUNK / columns, 1, slot.rows());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment floats = arena.allocate(most * columns * 4, 64);
      MemorySegment blocks = arena.allocate(type.bytes(most * columns), 64);
      for (long from = 0; from < slot.rows(); from += most) {
        long rows = Math.min(most, slot.rows() - from);
        numbers.read(from, from + rows, floats);
        Quantizer.quantize(type, floats.address(), rows, columns, blocks.address());
        ByteBuffer bytes = blocks.asSlice(0, type.bytes(rows * columns)).asByteBuffer();
        while (bytes.hasRemaining()) channel.write(bytes);
      }
    }
  }
}
