package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.tensor.quant.RandomBlocks;
import java.util.Random;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Any bytes as a file may have them, packed by assembled code and one by one. */
@ParameterizedClass
@EnumSource(
    value = Tier.class,
    names = {"AVX2", "AVX512"})
@Execution(CONCURRENT)
class PackedLevelsTest {
  private static final int[] OUTPUTS = {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 70};
  private static final int LINE = 4 * PANEL;

  private final int bits;

  PackedLevelsTest(Tier tier) {
    Tiers.assumeRuns(tier);
    bits = tier.bits();
  }

  @ParameterizedTest
  @EnumSource
  void everyWeightFindsItsPlace(PanelForm form) {
    var packing = new PackedLevels(form, bits);
    int size = form.type.blockSize();
    for (int outputs : OUTPUTS) {
      for (int blocks : new int[] {1, 3, 5}) check(packing, form, outputs, size * blocks);
    }
    // More than one call packs.
    check(packing, form, 3, (1 << 14) + size);
  }

  private static void check(PackedLevels packing, PanelForm form, int outputs, int inputs) {
    try (var memory = new GuardedMemory()) {
      var random = new Random(outputs + inputs);
      long bytes = form.type.bytes((long) outputs * inputs);
      long rows = memory.upTo(bytes);
      for (long i = 0; i < bytes; i++) ALL.set(JAVA_BYTE, rows + i, (byte) random.nextInt());
      someBlocksOfNothing(form, random, rows, bytes);
      int panels = (outputs + PANEL - 1) / PANEL;
      long packed = memory.upTo(panels * form.panelBytes(inputs));
      boolean finite = true;
      // In any order: a panel must leave the next one alone.
      for (int panel = panels - 1; panel >= 0; panel--) {
        finite &= packing.pack(rows, outputs, inputs, packed, panel, panel + 1);
      }
      String what = "%s %d×%d".formatted(form, outputs, inputs);
      assertThat(finite).as(what).isEqualTo(finite(form, rows, bytes));
      compare(what, form, PlainLevels.of(form.type, rows, outputs, inputs), packed, panels);
    }
  }

  private static void compare(
      String what, PanelForm form, PlainLevels stored, long packed, int panels) {
    int inputs = stored.inputs();
    int outputs = stored.numbers().length / inputs;
    for (int o = 0; o < panels * PANEL; o++) {
      long panel = packed + o / PANEL * form.panelBytes(inputs);
      for (int b = 0; b < inputs / form.block; b++) {
        float scale = scale(form, panel, b, o % PANEL);
        float minimum = form.minima ? minimum(form, panel, b, o % PANEL) : 0;
        String where = "%s at %d, block %d".formatted(what, o, b);
        if (o >= outputs) {
          assertThat(scale * number(form, panel, b, o % PANEL, 0) + minimum).as(where).isZero();
          continue;
        }
        int at = o * inputs / form.block + b;
        float expected = stored.scales()[at];
        // Products add to exponents: a scale of zero becomes the least one, its weights zero.
        boolean nothing = halves(form) && expected == 0;
        if (nothing) expected = Math.scalb(1f, -24);
        // Subnormal powers of two.
        if (form == PanelForm.MXFP4 && expected < Float.MIN_NORMAL) expected = 0;
        same("scale, " + where, scale, expected);
        same("minimum, " + where, minimum, stored.minima()[at]);
        for (int i = 0; i < form.block; i++) {
          int number = nothing ? 0 : stored.numbers()[at * form.block + i];
          int got = number(form, panel, b, o % PANEL, i);
          if (got != number) assertThat(got).as("%s, input %d", where, i).isEqualTo(number);
        }
      }
    }
  }

  /** One NaN is as good as another, and a zero of either sign. */
  private static void same(String what, float got, float expected) {
    if (!Float.isNaN(got) || !Float.isNaN(expected)) {
      assertThat(got).as(what).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"MXFP4"})
  void aScaleThatIsNotFiniteIsSeenWhereverItIs(PanelForm form) {
    var packing = new PackedLevels(form, bits);
    int outputs = 70;
    int inputs = 3 * form.type.blockSize();
    short[] strange = {0x7C00, (short) 0xFC00, 0x7E00, 0x7C01, (short) 0xFFFF};
    try (var memory = new GuardedMemory()) {
      long bytes = form.type.bytes((long) outputs * inputs);
      long rows = memory.upTo(bytes);
      RandomBlocks.fill(form.type, rows, bytes, new Random(4));
      long packed = memory.upTo(3 * form.panelBytes(inputs));
      assertThat(packing.pack(rows, outputs, inputs, packed, 0, 3)).isTrue();
      for (int block = 0; block < outputs * 3; block++) {
        for (int scale : scales(form)) {
          long at = rows + (long) block * form.type.blockBytes() + scale;
          ALL.set(JAVA_SHORT_UNALIGNED, at, strange[block % strange.length]);
          assertThat(packing.pack(rows, outputs, inputs, packed, 0, 3))
              .as("block %d, byte %d", block, scale)
              .isFalse();
          // The largest that there is.
          ALL.set(JAVA_SHORT_UNALIGNED, at, (short) (block % 2 == 0 ? 0x7BFF : 0xFBFF));
        }
      }
      assertThat(packing.pack(rows, outputs, inputs, packed, 0, 3)).isTrue();
    }
  }

  // What files have.

  /** Where a block of a file has its f16. */
  private static int[] scales(PanelForm form) {
    return switch (form) {
      case Q8_0, Q4_0, Q5_0, IQ4_NL, IQ4_XS -> new int[] {0};
      case Q4_1, Q5_1, Q4_K, Q5_K -> new int[] {0, 2};
      case Q6_K -> new int[] {208};
      case Q2_K -> new int[] {80, 82};
      case Q3_K -> new int[] {108};
      case MXFP4 -> new int[] {};
    };
  }

  private static boolean finite(PanelForm form, long rows, long bytes) {
    for (long at = rows; at < rows + bytes; at += form.type.blockBytes()) {
      for (int scale : scales(form)) if (!Float.isFinite(half(at + scale))) return false;
    }
    return true;
  }

  private static void someBlocksOfNothing(PanelForm form, Random random, long rows, long bytes) {
    for (long at = rows; at < rows + bytes; at += form.type.blockBytes()) {
      for (int scale : scales(form)) {
        short nothing = (short) (random.nextBoolean() ? 0 : 0x8000);
        if (random.nextInt(3) == 0) ALL.set(JAVA_SHORT_UNALIGNED, at + scale, nothing);
      }
    }
  }

  private static boolean halves(PanelForm form) {
    return form == PanelForm.Q8_0 || form == PanelForm.Q4_0;
  }

  // What panels have.

  /** Where 256 inputs begin that share a header. */
  private static long header(PanelForm form, long panel, int block) {
    return panel + block / form.group() * form.panelBytes(PanelForm.SUPER);
  }

  private static long levels(PanelForm form, long panel, int block) {
    if (!form.grouped()) return panel + (long) block * form.blockBytes();
    long first = header(form, panel, block) + form.headerBytes();
    return first + (long) block % form.group() * form.blockBytes();
  }

  private static float scale(PanelForm form, long panel, int block, int column) {
    long at = levels(form, panel, block) + form.levelBytes();
    long header = header(form, panel, block);
    long small = header + form.groupScales() + block % form.group() * PANEL + column;
    return switch (form.scales) {
      case HALF -> half(at + 2L * column);
      case EXPONENT -> Float.intBitsToFloat(u8(at + column) << 23);
      case UNSIGNED -> half(header + 2L * column) * u8(small);
      case SIGNED -> half(header + 2L * column) * (byte) u8(small);
    };
  }

  private static float minimum(PanelForm form, long panel, int block, int column) {
    if (!form.grouped()) return half(levels(form, panel, block) + form.minimum() + 2L * column);
    long header = header(form, panel, block);
    long small = header + form.groupScales() + form.groupMinima() + block % form.group() * PANEL;
    return -(half(header + 2L * PANEL + 2L * column) * u8(small + column));
  }

  private static int number(PanelForm form, long panel, int block, int column, int input) {
    long at = levels(form, panel, block) + 4L * column + input % 4;
    int quad = input / 4;
    if (form.bits == 8) return u8(at + (long) quad * LINE) - form.zero;
    int level = u8(at + (long) quad / 2 * LINE) >> 4 * (quad % 2) & 15;
    int high = form.bits - 4;
    if (high > 0) level |= (u8(at + form.highBits()) >> high * quad & (1 << high) - 1) << 4;
    return (form.table() == null ? level : form.table()[level] & 0xFF) - form.zero;
  }

  private static int u8(long at) {
    return ALL.get(JAVA_BYTE, at) & 0xFF;
  }

  private static float half(long at) {
    return Float.float16ToFloat(ALL.get(JAVA_SHORT_UNALIGNED, at));
  }
}
