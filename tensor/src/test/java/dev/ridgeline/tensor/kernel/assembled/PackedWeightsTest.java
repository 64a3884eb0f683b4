package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.tensor.TensorType;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Any bytes as a file may have them, packed by assembled code and one by one. */
class PackedWeightsTest {
  private static final int[] OUTPUTS = {1, 15, 16, 17, 31, 32, 33, 70};

  @BeforeAll
  static void assemble() {
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    assumeTrue(obstacle == null, "assembled code cannot run here: " + obstacle);
    assumeTrue(AssembledKernels.tier().wide(), "needs AVX-512");
  }

  @ParameterizedTest
  @EnumSource
  void everyWeightFindsItsPlace(PackedWeights packing) {
    TensorType type = TensorType.valueOf(packing.name());
    for (int outputs : OUTPUTS) {
      for (int inputs : new int[] {32, 96, 544}) {
        for (long seed = 0; seed < 2; seed++) check(packing, type, outputs, inputs, seed);
      }
    }
  }

  private static void check(
      PackedWeights packing, TensorType type, int outputs, int inputs, long seed) {
    try (var memory = new GuardedMemory()) {
      var random = new Random(seed);
      long rowBytes = type.bytes(inputs);
      long rows = memory.upTo(outputs * rowBytes);
      for (long i = 0; i < outputs * rowBytes; i++) {
        ALL.set(JAVA_BYTE, rows + i, (byte) random.nextInt());
      }
      someBlocksOfNothing(random, rows, outputs * rowBytes, type);
      int panels = (outputs + PANEL - 1) / PANEL;
      int numberBits = type == TensorType.Q8_0 ? 8 : 4;
      long panelBytes = (long) inputs * PANEL * numberBits / 8 + inputs / 32 * 2L * PANEL;
      long packed = memory.upTo(panels * panelBytes);
      boolean finite = packing.pack(rows, outputs, inputs, packed, panelBytes, 0, panels);
      assertThat(finite).isEqualTo(finite(type, rows, outputs * rowBytes));
      for (int o = 0; o < outputs; o++) {
        long panel = packed + o / PANEL * panelBytes;
        long row = rows + o * rowBytes;
        for (int i = 0; i < inputs; i++) {
          assertThat(packed(type, panel, o % PANEL, i))
              .as("%s %d×%d seed %d at %d, %d", type, outputs, inputs, seed, o, i)
              .isEqualTo(stored(type, row, i));
        }
      }
    }
  }

  private static void someBlocksOfNothing(Random random, long rows, long bytes, TensorType type) {
    for (long at = 0; at < bytes; at += type.blockBytes()) {
      int nothing = random.nextBoolean() ? 0 : 0x8000;
      if (random.nextInt(3) == 0) ALL.set(JAVA_SHORT_UNALIGNED, rows + at, (short) nothing);
    }
  }

  private static boolean finite(TensorType type, long rows, long bytes) {
    for (long at = 0; at < bytes; at += type.blockBytes()) {
      if (!Float.isFinite(Float.float16ToFloat(ALL.get(JAVA_SHORT_UNALIGNED, rows + at)))) {
        return false;
      }
    }
    return true;
  }

  @ParameterizedTest
  @EnumSource(names = {"Q8_0", "Q4_0"})
  void aScaleThatIsNotFiniteIsSeenWhereverItIs(PackedWeights packing) {
    TensorType type = TensorType.valueOf(packing.name());
    int outputs = 70;
    int inputs = 96;
    try (var memory = new GuardedMemory()) {
      long bytes = outputs * type.bytes(inputs);
      long rows = memory.upTo(bytes);
      ALL.asSlice(rows, bytes).fill((byte) 0x3A);
      long panelBytes = 3L * PANEL * type.blockBytes();
      long packed = memory.upTo(3 * panelBytes);
      assertThat(packing.pack(rows, outputs, inputs, packed, panelBytes, 0, 3)).isTrue();
      short[] strange = {0x7C00, (short) 0xFC00, 0x7E00, 0x7C01, (short) 0xFFFF};
      for (int block = 0; block < outputs * 3; block++) {
        long at = rows + (long) block * type.blockBytes();
        ALL.set(JAVA_SHORT_UNALIGNED, at, strange[block % strange.length]);
        assertThat(packing.pack(rows, outputs, inputs, packed, panelBytes, 0, 3)).isFalse();
        // The largest that there is.
        ALL.set(JAVA_SHORT_UNALIGNED, at, (short) 0x7BFF);
      }
      assertThat(packing.pack(rows, outputs, inputs, packed, panelBytes, 0, 3)).isTrue();
    }
  }

  /** A weight of a row, with its scale where it has one. */
  private static long stored(TensorType type, long row, int input) {
    long block = row + input / 32 * (long) type.blockBytes();
    int scale = ALL.get(JAVA_SHORT_UNALIGNED, block) & 0xFFFF;
    int i = input % 32;
    int weight =
        type == TensorType.Q8_0
            ? ALL.get(JAVA_BYTE, block + 2 + i)
            : (ALL.get(JAVA_BYTE, block + 2 + i % 16) >> (i < 16 ? 0 : 4) & 15) - 8;
    // A scale of zero becomes the least one, and its weights zero.
    return (scale & 0x7FFF) == 0 ? 1 : scale + ((long) weight << 16);
  }

  private static long packed(TensorType type, long panel, int column, int input) {
    boolean whole = type == TensorType.Q8_0;
    int quants = whole ? 1024 : 512;
    long block = panel + input / 32 * (quants + 2L * PANEL);
    int scale = ALL.get(JAVA_SHORT_UNALIGNED, block + quants + 2L * column) & 0xFFFF;
    int i = input % 32;
    if (whole) {
      int weight = ALL.get(JAVA_BYTE, block + i / 4 * 4L * PANEL + 4L * column + i % 4) & 0xFF;
      return scale + ((long) (weight - 128) << 16);
    }
    int both = ALL.get(JAVA_BYTE, block + i / 8 * 4L * PANEL + 4L * column + i % 4);
    return scale + ((long) ((both >> (i % 8 < 4 ? 0 : 4) & 15) - 8) << 16);
  }
}
