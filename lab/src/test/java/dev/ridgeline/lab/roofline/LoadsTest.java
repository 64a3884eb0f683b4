package dev.ridgeline.lab.roofline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.report.roofline.Ceilings.Arithmetic;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.ExecutableMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadsTest {
  private static final CpuFeatures HERE = CpuFeatures.here();
  private static final CpuFeatures NOTHING = new CpuFeatures(Set.of(), List.of(), "none");

  /** Whole numbers, so that every sum is exact in any order. */
  @ParameterizedTest
  @EnumSource(Arithmetic.class)
  void theLoopsDoTheArithmeticThatIsCounted(Arithmetic kind) throws Throwable {
    int bits = MachineLoops.bits(kind, HERE);
    assumeTrue(bits > 0 || !HERE.runnable() || kind != Arithmetic.F32, "needs AVX2 and FMA");
    if (bits == 0) return; // this processor has no such instruction
    long turns = 5;
    try (Arena arena = Arena.ofConfined()) {
      var random = new SplittableRandom(3);
      MemorySegment in = arena.allocate(bits / 4, 64);
      for (int i = 0; i < bits / 16; i++) in.setAtIndex(JAVA_INT, i, number(kind, random));
      MemorySegment sums = arena.allocate((long) MachineLoops.SUMS * bits / 8, 64);
      var type = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG);
      ExecutableMemory.function(MachineLoops.compute(kind, bits), type, arena)
          .invokeExact(in.address(), sums.address(), turns);
      int lanes = bits / 32;
      for (int i = 0; i < MachineLoops.SUMS * lanes; i++) {
        int a = in.getAtIndex(JAVA_INT, i % lanes);
        int b = in.getAtIndex(JAVA_INT, lanes + i % lanes);
        double expected = turns * MachineLoops.UNROLL * product(kind, a, b);
        double found =
            kind == Arithmetic.INT8 ? sums.getAtIndex(JAVA_INT, i) : sums.getAtIndex(JAVA_FLOAT, i);
        assertThat(found).isEqualTo(expected);
      }
    }
  }

  private static int number(Arithmetic kind, SplittableRandom random) {
    return switch (kind) {
      case F32 -> Float.floatToIntBits(random.nextInt(-9, 10));
      case INT8 -> random.nextInt();
      case BF16 ->
          Float.floatToIntBits(random.nextInt(-9, 10)) & 0xFFFF_0000
              | Float.floatToIntBits(random.nextInt(-9, 10)) >>> 16;
    };
  }

  private static double product(Arithmetic kind, int a, int b) {
    return switch (kind) {
      case F32 -> Float.intBitsToFloat(a) * Float.intBitsToFloat(b);
      case INT8 -> {
        int sum = 0;
        for (int i = 0; i < 32; i += 8) sum += (a >>> i & 0xFF) * (byte) (b >>> i);
        yield sum;
      }
      case BF16 ->
          (double) Float.intBitsToFloat(a & 0xFFFF_0000) * Float.intBitsToFloat(b & 0xFFFF_0000)
              + (double) Float.intBitsToFloat(a << 16) * Float.intBitsToFloat(b << 16);
    };
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
    long written = buffer.mismatch(arena.allocate(buffer.byteSize()));
    assertThat(written).isBetween(bytes >= Loads.PIECE ? bytes : bytes - 512, bytes);
    for (long i = written; i < buffer.byteSize(); i++) {
      assertThat(buffer.get(JAVA_BYTE, i)).isEqualTo((byte) 1);
    }
  }

  /** More than once round. */
  private static void runThrough(Load load) {
    for (int i = 0; i < 4 * load.fewest() + 1; i++) load.run();
  }

  @Test
  void withoutAssembledCodeThereIsF32Alone() {
    try (Arena arena = Arena.ofShared()) {
      var loads = new Loads(NOTHING, arena);
      assertThat(loads.has(Arithmetic.F32)).isTrue();
      assertThat(loads.has(Arithmetic.INT8)).isFalse();
      assertThat(loads.has(Arithmetic.BF16)).isFalse();
    }
  }
}
