package dev.ridgeline.tensor.quant;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.MemorySegment;

/**
 * Turns f32 numbers into blocks of any type and back.
 *
 * <p>Pure functions of the numbers they are given, on addresses of {@link Memory#ALL}: rows may be
 * split over threads in any way. Blocks are those that llama.cpp makes of the same numbers, and are
 * read as the numbers that llama.cpp reads.
 */
public final class Quantizer {
  private Quantizer() {}

  /**
   * Reads numbers of a type as f32.
   *
   * @param count whole blocks of them
   */
  public static void dequantize(TensorType type, long from, long count, long out) {
    long blocks = type.bytes(count) / type.blockBytes();
    switch (type) {
      case F32 -> MemorySegment.copy(Memory.ALL, from, Memory.ALL, out, 4 * count);
      case F16 -> {
        for (long i = 0; i < count; i++) Raw.f32(out + 4 * i, Raw.f16(from + 2 * i));
      }
      case BF16 -> {
        for (long i = 0; i < count; i++) Raw.f32(out + 4 * i, Raw.bf16(from + 2 * i));
      }
      case I32 -> throw new IllegalArgumentException("i32 is not a type of weights");
      default -> {
        Block block = Block.of(type);
        for (long b = 0; b < blocks; b++) {
          block.unpack(from + b * type.blockBytes(), out + 4 * b * type.blockSize());
        }
      }
    }
  }

  /**
   * Writes rows of f32 numbers as a type.
   *
   * @param type one that is {@link TensorType#writable}
   * @param columns of a row, whole blocks of them
   */
  public static void quantize(TensorType type, long from, long rows, long columns, long out) {
    if (!type.writable()) {
      throw new IllegalArgumentException(
          type.word() + " can be read but not written: choose another type");
    }
    type.bytes(columns); // refuses rows that do not fill their blocks
    long count = Math.multiplyExact(rows, columns);
    switch (type) {
      case F32 -> MemorySegment.copy(Memory.ALL, from, Memory.ALL, out, 4 * count);
      case F16 -> {
        for (long i = 0; i < count; i++) Raw.f16(out + 2 * i, Raw.f32(from + 4 * i));
      }
      case BF16 -> {
        for (long i = 0; i < count; i++) Raw.bf16(out + 2 * i, Raw.f32(from + 4 * i));
      }
      case I32 -> throw new IllegalArgumentException("i32 is not a type of weights");
      default -> {
        Block block = Block.of(type);
        for (long b = 0; b < count / type.blockSize(); b++) {
          block.pack(from + 4 * b * type.blockSize(), out + b * type.blockBytes());
        }
      }
    }
  }
}
