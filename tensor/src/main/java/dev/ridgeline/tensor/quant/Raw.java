package dev.ridgeline.tensor.quant;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.ridgeline.tensor.Memory;
import java.lang.foreign.MemorySegment;

/** Single numbers at addresses, and the roundings that blocks are made with. */
final class Raw {
  /** Added to a small f32, this leaves the nearest whole number, ties to even, in the low bits. */
  private static final float ROUNDER = 0x1.8p23f;

  private Raw() {}

  static float f32(long address) {
    return Memory.ALL.get(JAVA_FLOAT_UNALIGNED, address);
  }

  static void f32(long address, float number) {
    Memory.ALL.set(JAVA_FLOAT_UNALIGNED, address, number);
  }

  static float f16(long address) {
    return Float.float16ToFloat(Memory.ALL.get(JAVA_SHORT_UNALIGNED, address));
  }

  static void f16(long address, float number) {
    Memory.ALL.set(JAVA_SHORT_UNALIGNED, address, Float.floatToFloat16(number));
  }

  static float bf16(long address) {
    return Bf16Float.toFloat(Memory.ALL.get(JAVA_SHORT_UNALIGNED, address));
  }

  static void bf16(long address, float number) {
    Memory.ALL.set(JAVA_SHORT_UNALIGNED, address, Bf16Float.of(number));
  }

  static int i8(long address) {
    return Memory.ALL.get(JAVA_BYTE, address);
  }

  static int u8(long address) {
    return Memory.ALL.get(JAVA_BYTE, address) & 0xff;
  }

  static void i8(long address, int value) {
    Memory.ALL.set(JAVA_BYTE, address, (byte) value);
  }

  static int i32(long address) {
    return Memory.ALL.get(JAVA_INT_UNALIGNED, address);
  }

  static void i32(long address, int value) {
    Memory.ALL.set(JAVA_INT_UNALIGNED, address, value);
  }

  static void numbers(long address, float[] into) {
    MemorySegment.copy(Memory.ALL, JAVA_FLOAT_UNALIGNED, address, into, 0, into.length);
  }

  /** 1/x, but 0 for 0: a block of zeros has no scale. */
  static float inverse(float x) {
    return x == 0 ? 0 : 1 / x;
  }

  /** Towards zero; what no int can hold is 0, as the low byte of x86's conversion is. */
  static int truncated(float x) {
    return Math.abs(x) < 0x1p31f ? (int) x : 0;
  }

  /** To the nearest, ties away from zero; in f64, where adding a half is exact. */
  static int rounded(float x) {
    return truncated((float) (x < 0 ? Math.ceil(x - 0.5) : Math.floor(x + 0.5)));
  }

  /** To the nearest, ties to even, for what is below 2²². */
  static int nearest(float x) {
    return (Float.floatToRawIntBits(x + ROUNDER) & 0x7fffff) - 0x400000;
  }
}
