package dev.ridgeline.lab.roofline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Feature;
import dev.ridgeline.tensor.kernel.assembled.ExecutableMemory;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadsTest {
  private static final CpuFeatures HERE = CpuFeatures.here();
  private static final CpuFeatures NOTHING = new CpuFeatures(Set.of(), List.of(), "none");

  /** Whole numbers, so that every sum is exact in any order. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("here")
  void theLoopsDoTheArithmeticThatIsCounted(Arithmetic kind) throws Throwable {
    for (int bits : MachineLoops.widths(kind, HERE)) {
      long turns = 5;
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment in = arena.allocate(MachineLoops.inputBytes(bits), 64);
        fill(kind, bits, in, new SplittableRandom(3));
        MemorySegment sums = arena.allocate((long) MachineLoops.sums(kind) * bits / 8, 64);
        var type = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG);
        ExecutableMemory.function(MachineLoops.compute(kind, bits), type, arena)
            .invokeExact(in.address(), sums.address(), turns);
        int lanes = bits / 32;
        for (int i = 0; i < MachineLoops.sums(kind) * lanes; i++) {
          double expected =
              bits == MachineLoops.TILE
                  ? ofTiles(kind, in, i / lanes, i % lanes)
                  : product(
                      kind,
                      in.getAtIndex(JAVA_INT, i % lanes),
                      in.getAtIndex(JAVA_INT, lanes + i % lanes));
          double found =
              kind.integer() ? sums.getAtIndex(JAVA_INT, i) : sums.getAtIndex(JAVA_FLOAT, i);
          assertThat(found).isEqualTo(turns * MachineLoops.unroll(kind) * expected);
        }
      }
    }
  }

  /** What this processor has. */
  static Stream<Arithmetic> here() {
    return Stream.of(Arithmetic.values())
        .filter(kind -> !MachineLoops.widths(kind, HERE).isEmpty());
  }

  private static void fill(Arithmetic kind, int bits, MemorySegment in, SplittableRandom random) {
    boolean tiles = bits == MachineLoops.TILE;
    int lanes = bits / 32;
    for (int i = 0; i < in.byteSize() / 4; i++) {
      int number = number(kind, random);
      boolean nibbles = kind == Arithmetic.INT8_NIBBLES && i < lanes;
      in.setAtIndex(JAVA_INT, i, nibbles ? number & 0x0F0F_0F0F : number);
      if (!tiles && i >= 2 * lanes) in.setAtIndex(JAVA_INT, i, 0x0001_0001);
    }
    if (tiles) MachineLoops.configure(in);
  }

  private static int number(Arithmetic kind, SplittableRandom random) {
    return switch (kind) {
      case F32 -> Float.floatToIntBits(random.nextInt(-9, 10));
      case INT8, INT8_NIBBLES, AMX_INT8 -> random.nextInt();
      case INT8_WORDS -> random.nextInt(-128, 128) << 16 | random.nextInt(-128, 128) & 0xFFFF;
      case BF16, AMX_BF16 ->
          Float.floatToIntBits(random.nextInt(-9, 10)) & 0xFFFF_0000
              | Float.floatToIntBits(random.nextInt(-9, 10)) >>> 16;
    };
  }

  private static double product(Arithmetic kind, int a, int b) {
    return switch (kind) {
      case F32 -> Float.intBitsToFloat(a) * Float.intBitsToFloat(b);
      case INT8, INT8_NIBBLES -> {
        int sum = 0;
        for (int i = 0; i < 32; i += 8) sum += (a >>> i & 0xFF) * (byte) (b >>> i);
        yield sum;
      }
      case AMX_INT8 -> product(Arithmetic.INT8, b, a);
      case INT8_WORDS -> (a >> 16) * (b >> 16) + (short) a * (short) b;
      case BF16, AMX_BF16 ->
          (double) Float.intBitsToFloat(a & 0xFFFF_0000) * Float.intBitsToFloat(b & 0xFFFF_0000)
              + (double) Float.intBitsToFloat(a << 16) * Float.intBitsToFloat(b << 16);
    };
  }

  /** A result of a tile: a row of one tile times a column of another. */
  private static double ofTiles(Arithmetic kind, MemorySegment in, int tile, int at) {
    int numbers = MachineLoops.TILE / 32;
    int first = MachineLoops.CONFIGURATION / 4;
    int rows = first + tile / 2 * numbers + at / 16 * 16;
    int columns = first + (2 + tile % 2) * numbers + at % 16;
    double sum = 0;
    for (int k = 0; k < 16; k++) {
      int a = in.getAtIndex(JAVA_INT, rows + k);
      int b = in.getAtIndex(JAVA_INT, columns + 16 * k);
      sum += product(kind, a, b);
    }
    return sum;
  }

  /** Of assembled code and of the Vector API; one piece and several. */
  @ParameterizedTest
  @ValueSource(longs = {16 << 10, 100_000, 5 << 20})
  void streamsTouchWhatTheyCountAndNothingElse(long bytes) {
    for (CpuFeatures cpu : List.of(HERE, NOTHING)) {
      // Where vectors are interpreted, it takes its time.
      if (cpu == NOTHING && bytes > Loads.PIECE) continue;
      for (boolean past : new boolean[] {false, true}) {
        try (Arena arena = Arena.ofShared()) {
          var loads = new Loads(cpu, arena);
          copy(loads, arena, bytes, past);
          write(loads, arena, bytes, past);
        }
      }
    }
  }

  private static void copy(Loads loads, Arena arena, long bytes, boolean past) {
    MemorySegment buffer = arena.allocate(bytes + Loads.SLACK + 64, Loads.PAGE);
    long unit = bytes / 2 >= Loads.PIECE ? Loads.PIECE : 512;
    MemorySegment source = buffer.asSlice(0, bytes / 2 / unit * unit);
    for (long i = 0; i < source.byteSize(); i++) source.set(JAVA_BYTE, i, (byte) (i % 251 + 1));
    byte end = 77;
    for (long i = bytes + Loads.SLACK; i < buffer.byteSize(); i++) buffer.set(JAVA_BYTE, i, end);
    runThrough(loads.stream(Flow.COPY, buffer.address(), bytes, past));
    long at = source.byteSize();
    while (buffer.get(JAVA_BYTE, at) == 0) at++;
    assertThat(buffer.asSlice(at, source.byteSize()).mismatch(source)).isEqualTo(-1);
    for (long i = bytes + Loads.SLACK; i < buffer.byteSize(); i++) {
      assertThat(buffer.get(JAVA_BYTE, i)).isEqualTo(end);
    }
  }

  private static void write(Loads loads, Arena arena, long bytes, boolean past) {
    MemorySegment buffer = arena.allocate(bytes + 64, Loads.PAGE);
    buffer.fill((byte) 1);
    runThrough(loads.stream(Flow.WRITE, buffer.address(), bytes, past));
    long written = buffer.byteSize();
    while (buffer.get(JAVA_INT, written - 4) == 0x0101_0101) written -= 4;
    assertThat(written).isBetween(bytes >= Loads.PIECE ? bytes : bytes - 512, bytes);
    variesAll(buffer.asSlice(0, Math.min(written, Loads.PIECE)));
  }

  /** Zeros, and what is the same all over a line, are stored faster than anything else. */
  private static void variesAll(MemorySegment stored) {
    Set<Integer> numbers = new HashSet<>();
    long all = stored.byteSize() / 4;
    for (long i = 0; i < all; i++) numbers.add(stored.getAtIndex(JAVA_INT, i));
    assertThat(numbers).hasSizeGreaterThan((int) (all * 9 / 10)).doesNotContain(0, 0x0101_0101);
  }

  /** More than once round. */
  private static void runThrough(Load load) {
    for (int i = 0; i < 4 * load.fewest() + 1; i++) load.run();
  }

  @Test
  void everyFormIsMeasuredThatAProcessorHas() {
    assertThat(MachineLoops.widths(Arithmetic.INT8_WORDS, cpu(Feature.AVX2))).containsExactly(256);
    assertThat(MachineLoops.widths(Arithmetic.INT8, cpu(Feature.AVX2))).isEmpty();
    CpuFeatures laptop = cpu(Feature.AVX2, Feature.AVX_VNNI);
    assertThat(MachineLoops.widths(Arithmetic.INT8, laptop)).containsExactly(256);
    CpuFeatures zen = cpu(Feature.AVX2, Feature.AVX512F, Feature.AVX512BW, Feature.AVX512_VNNI);
    assertThat(MachineLoops.widths(Arithmetic.INT8, zen)).containsExactly(512);
    assertThat(MachineLoops.widths(Arithmetic.INT8_NIBBLES, zen)).containsExactly(512, 256);
    assertThat(MachineLoops.widths(Arithmetic.AMX_INT8, zen)).isEmpty();
    assertThat(MachineLoops.widths(Arithmetic.AMX_INT8, cpu(Feature.AMX_INT8))).hasSize(1);
  }

  @Test
  void aLowerTierHasTheCeilingsOfItsInstructions() {
    assertThat(CeilingsProbe.uses(Tier.AVX2, Arithmetic.INT8, 256)).isFalse();
    assertThat(CeilingsProbe.uses(Tier.AVX2, Arithmetic.INT8_WORDS, 256)).isTrue();
    assertThat(CeilingsProbe.uses(Tier.AVX2, Arithmetic.INT8_WORDS, 512)).isFalse();
    assertThat(CeilingsProbe.uses(Tier.AVX_VNNI, Arithmetic.INT8, 256)).isTrue();
    assertThat(CeilingsProbe.uses(Tier.AVX512, Arithmetic.INT8, 512)).isFalse();
    assertThat(CeilingsProbe.uses(Tier.AVX512_VNNI, Arithmetic.INT8, 512)).isTrue();
    assertThat(CeilingsProbe.uses(Tier.AVX512_VNNI, Arithmetic.AMX_INT8, MachineLoops.TILE))
        .isFalse();
    assertThat(CeilingsProbe.uses(Tier.AMX, Arithmetic.AMX_INT8, MachineLoops.TILE)).isTrue();
  }

  private static CpuFeatures cpu(Feature... features) {
    return new CpuFeatures(Set.of(features), List.of(), null);
  }

  @Test
  void withoutAssembledCodeThereIsF32Alone() {
    try (Arena arena = Arena.ofShared()) {
      var loads = new Loads(NOTHING, arena);
      assertThat(loads.widths(Arithmetic.F32)).containsExactly(0);
      for (Arithmetic kind : Arithmetic.values()) {
        if (kind != Arithmetic.F32) assertThat(loads.widths(kind)).isEmpty();
      }
    }
  }
}
