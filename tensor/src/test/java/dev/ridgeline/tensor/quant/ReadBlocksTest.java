package dev.ridgeline.tensor.quant;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Blocks written down byte by byte, and their numbers worked out by hand. */
class ReadBlocksTest {
  private static final int ONE = 0x3c00;
  private static final int HALF = 0x3800;

  @Test
  void q2kHasTwoBitsAboveAMinimum() {
    byte[] block = new byte[84];
    block[3] = (byte) 0x25; // group 3: scale 5, minimum 2
    block[16 + 17] = (byte) 0b11_00_10_01; // numbers 17, 49, 81 and 113
    half(block, 80, HALF);
    half(block, 82, ONE);
    float[] numbers = read(TensorType.Q2_K, block);
    assertThat(numbers[49]).isEqualTo(0.5f * 5 * 2 - 2);
    assertThat(numbers[48]).isEqualTo(-2);
    assertThat(numbers[17]).isZero(); // its group has no scale
    block[1] = 1;
    block[15] = (byte) 0x0f; // the last group
    block[16 + 63] = (byte) 0b11_00_00_00; // number 255
    numbers = read(TensorType.Q2_K, block);
    assertThat(numbers[17]).isEqualTo(0.5f);
    assertThat(numbers[255]).isEqualTo(0.5f * 15 * 3);
  }

  @Test
  void q3kHasItsHighestBitsApartAndSignedScales() {
    byte[] block = new byte[110];
    half(block, 108, ONE);
    float[] numbers = read(TensorType.Q3_K, block);
    assertThat(numbers).containsOnly(-32 * -4); // the least scale times the least digit
    block[96 + 5] = (byte) 0x21; // lower bits of the scales of groups 5 and 13
    block[96 + 8 + 1] = (byte) 0b10_00_11_00; // upper bits of those of groups 1, 5, 9 and 13
    block[17] = (byte) 0b0100_0000; // number 6 × 32 + 17 = 209 of group 13
    block[32 + 32 + 17] = (byte) 0b00_10_00_00; // its lower bits, third pair of the second half
    block[32 + 16] = (byte) 0b00_00_01_00; // the lower bits of number 32 + 16 = 48 of group 3
    numbers = read(TensorType.Q3_K, block);
    assertThat(numbers[209]).isEqualTo((0b10_0010 - 32) * (0b110 - 4));
    assertThat(numbers[48]).isEqualTo(-32 * (1 - 4));
    assertThat(numbers[80]).isEqualTo((0b11_0001 - 32) * -4); // the first of group 5
  }

  @Test
  void iq4nlLooksItsNumbersUp() {
    byte[] block = new byte[18];
    half(block, 0, HALF);
    block[2] = (byte) 0xf0; // numbers 0 and 16
    block[2 + 15] = (byte) 0x87; // numbers 15 and 31
    float[] numbers = read(TensorType.IQ4_NL, block);
    assertThat(numbers[0]).isEqualTo(0.5f * -127);
    assertThat(numbers[16]).isEqualTo(0.5f * 113);
    assertThat(numbers[15]).isEqualTo(0.5f * -10);
    assertThat(numbers[31]).isEqualTo(0.5f);
  }

  @Test
  void iq4xsHasAScaleForEachGroup() {
    byte[] block = new byte[136];
    half(block, 0, ONE);
    block[3] = (byte) 0b10_00_00_00; // upper bits of group 7
    block[7] = (byte) 0x30; // lower bits of group 7
    block[8 + 7 * 16] = (byte) 0x98; // numbers 224 and 240
    float[] numbers = read(TensorType.IQ4_XS, block);
    assertThat(numbers[224]).isEqualTo(3);
    assertThat(numbers[240]).isEqualTo(3 * 13);
    assertThat(numbers[0]).isEqualTo(-32 * -127);
  }

  @Test
  void mxfp4HasFloatsOfFourBitsAndAPowerOfTwo() {
    byte[] block = new byte[17];
    block[0] = 127;
    for (int i = 0; i < 16; i++) block[1 + i] = (byte) (i << 4 | i);
    float[] floats = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6, 0, -0.5f, -1, -1.5f, -2, -3, -4, -6};
    float[] numbers = read(TensorType.MXFP4, block);
    for (int i = 0; i < 32; i++) assertThat(numbers[i]).isEqualTo(floats[i % 16]);
    block[0] = 0;
    assertThat(read(TensorType.MXFP4, block)[1]).isEqualTo(0x1p-128f);
    block[0] = 1;
    assertThat(read(TensorType.MXFP4, block)[1]).isEqualTo(0x1p-127f);
    block[0] = 2;
    assertThat(read(TensorType.MXFP4, block)[1]).isEqualTo(0x1p-126f);
    block[0] = (byte) 254;
    assertThat(read(TensorType.MXFP4, block)[2]).isEqualTo(0x1p127f);
  }

  private static void half(byte[] block, int at, int bits) {
    block[at] = (byte) bits;
    block[at + 1] = (byte) (bits >> 8);
  }

  private static float[] read(TensorType type, byte[] block) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(block.length, 64);
      bytes.copyFrom(MemorySegment.ofArray(block));
      MemorySegment numbers = arena.allocate(4L * type.blockSize(), 64);
      Quantizer.dequantize(type, bytes.address(), type.blockSize(), numbers.address());
      return numbers.toArray(JAVA_FLOAT);
    }
  }
}
