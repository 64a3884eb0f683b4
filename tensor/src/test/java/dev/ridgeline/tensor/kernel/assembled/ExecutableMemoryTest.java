package dev.ridgeline.tensor.kernel.assembled;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Feature;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExecutableMemoryTest {
  private static final CpuFeatures CPU = CpuFeatures.here();

  @Test
  void codeIsNeverWritableAndExecutableAtOnce() throws Exception {
    Path maps = Path.of("/proc/self/maps");
    assumeTrue(CPU.runnable() && Files.exists(maps), "needs Linux on x86-64");
    try (Arena arena = Arena.ofConfined()) {
      long at = ExecutableMemory.map(Cpuid.xgetbvCode(), arena).address();
      String line =
          Files.readAllLines(maps).stream()
              .filter(each -> each.startsWith(Long.toHexString(at)))
              .findFirst()
              .orElseThrow();
      assertThat(line).contains(" r-xp ");
    }
  }

  @Test
  void aFunctionCannotBeCalledAfterItsMemoryWasGivenBack() {
    assumeTrue(CPU.runnable(), "assembled code cannot run here: " + CPU.refusal());
    MethodHandle function;
    try (Arena arena = Arena.ofConfined()) {
      var type = FunctionDescriptor.of(JAVA_LONG);
      function = ExecutableMemory.function(Cpuid.xgetbvCode(), type, arena);
    }
    assertThatThrownBy(() -> function.invoke()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void memoryThatTheSystemRefusesIsGivenBackAndTheReasonTold() {
    List<String> calls = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      Pages strict = new StrictPages(arena, calls);
      assertThatThrownBy(() -> ExecutableMemory.map(new byte[] {(byte) 0xC3}, arena, strict))
          .isInstanceOf(CodeRefused.class)
          .hasMessage("the system does not make memory executable");
    }
    assertThat(calls).containsExactly("map 1", "seal", "unmap");
  }

  @Test
  void otherMachinesHaveAReason() {
    assertThat(ExecutableMemory.refusal(null, "amd64", "Linux")).isNull();
    assertThat(ExecutableMemory.refusal("assembled", "x86_64", "Mac OS X")).isNull();
    assertThat(ExecutableMemory.refusal(null, "aarch64", "Linux"))
        .isEqualTo("this is aarch64, not x86-64");
    assertThat(ExecutableMemory.refusal(null, "amd64", "Windows 11"))
        .isEqualTo("Windows 11 does not call functions by the System V convention");
    assertThat(ExecutableMemory.refusal("vector", "amd64", "Linux"))
        .isEqualTo("-Dridgeline.kernels=vector asks for other kernels");
  }

  @Test
  void theProcessorSaysWhatLinuxSays() throws Exception {
    Path told = Path.of("/proc/cpuinfo");
    assumeTrue(CPU.runnable() && Files.exists(told), "needs Linux on x86-64");
    String flags =
        Files.readAllLines(told).stream()
            .filter(line -> line.startsWith("flags"))
            .findFirst()
            .orElseThrow();
    for (Feature feature : Feature.values()) {
      boolean linux = (flags + " ").contains(" " + feature.name().toLowerCase() + " ");
      assertThat(CPU.has(feature)).as(feature.name()).isEqualTo(linux);
    }
  }

  @Test
  void dotProductsAreThoseOfPlainJava() throws Throwable {
    assumeTrue(CPU.runnable(), "assembled code cannot run here: " + CPU.refusal());
    long seed = 42;
    var random = new SplittableRandom(seed);
    if (CPU.has(Feature.FMA)) fma(random, 256);
    if (CPU.has(Feature.AVX512F)) fma(random, 512);
    if (CPU.has(Feature.AVX_VNNI)) bytes(random, 256);
    if (CPU.has(Feature.AVX512_VNNI)) bytes(random, 512);
    if (CPU.has(Feature.AVX512_BF16)) brainFloats(random);
  }

  private static void fma(SplittableRandom random, int bits) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      var data = new Data(arena, bits);
      int lanes = bits / 32;
      for (int i = 0; i < 2 * lanes; i++) {
        data.in.setAtIndex(JAVA_FLOAT, i, (float) random.nextDouble(-1, 1));
      }
      data.run(code(bits, Assembler::vfmadd231ps));
      for (int i = 0; i < lanes; i++) {
        float a = data.in.getAtIndex(JAVA_FLOAT, i);
        float expected = Math.fma(a, data.in.getAtIndex(JAVA_FLOAT, lanes + i), 0f);
        assertThat(data.out.getAtIndex(JAVA_FLOAT, i)).isEqualTo(expected);
      }
    }
  }

  private static void bytes(SplittableRandom random, int bits) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      var data = new Data(arena, bits);
      int bytes = bits / 8;
      for (int i = 0; i < 2 * bytes; i++) data.in.set(JAVA_BYTE, i, (byte) random.nextInt());
      data.run(code(bits, Assembler::vpdpbusd));
      for (int i = 0; i < bytes / 4; i++) {
        int sum = 0;
        for (int j = 4 * i; j < 4 * i + 4; j++) {
          sum += (data.in.get(JAVA_BYTE, j) & 0xFF) * data.in.get(JAVA_BYTE, bytes + j);
        }
        assertThat(data.out.getAtIndex(JAVA_INT, i)).isEqualTo(sum);
      }
    }
  }

  private static void brainFloats(SplittableRandom random) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      var data = new Data(arena, 512);
      for (int i = 0; i < 32; i++) {
        // Pairs of bf16 whose products and sums are exact: small whole numbers.
        int low = Float.floatToIntBits(random.nextInt(-8, 9)) >>> 16;
        int high = Float.floatToIntBits(random.nextInt(-8, 9)) & 0xFFFF_0000;
        data.in.setAtIndex(JAVA_INT, i, high | low);
      }
      data.run(code(512, Assembler::vdpbf16ps));
      for (int i = 0; i < 16; i++) {
        int a = data.in.getAtIndex(JAVA_INT, i);
        int b = data.in.getAtIndex(JAVA_INT, 16 + i);
        float expected = low(a) * low(b) + high(a) * high(b);
        assertThat(data.out.getAtIndex(JAVA_FLOAT, i)).isEqualTo(expected);
      }
    }
  }

  private static float low(int pair) {
    return Float.intBitsToFloat(pair << 16);
  }

  private static float high(int pair) {
    return Float.intBitsToFloat(pair & 0xFFFF_0000);
  }

  private interface Product {
    void write(Assembler code, Vec to, Vec a, Vec b);
  }

  /** {@code out = product of the two vectors of in}. */
  private static byte[] code(int bits, Product product) {
    var code = new Assembler();
    Vec a = new Vec(1, bits);
    Vec b = new Vec(2, bits);
    Vec sum = new Vec(bits == 512 ? 19 : 9, bits);
    code.vpxor(sum, sum, sum);
    code.vmovups(a, Mem.at(Gpr.RDI));
    code.vmovups(b, Mem.at(Gpr.RDI, a.bytes()));
    product.write(code, sum, a, b);
    code.vmovups(Mem.at(Gpr.RSI), sum);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  /** Two vectors and the one that is made of them. */
  private record Data(Arena arena, MemorySegment in, MemorySegment out) {
    Data(Arena arena, int bits) {
      this(arena, arena.allocate(bits / 4, 64), arena.allocate(bits / 8, 64));
    }

    void run(byte[] code) throws Throwable {
      var type = FunctionDescriptor.ofVoid(ADDRESS, ADDRESS);
      ExecutableMemory.function(code, type, arena).invokeExact(in, out);
    }
  }

  /** Memory that may be written, but not executed. */
  private record StrictPages(Arena arena, List<String> calls) implements Pages {
    @Override
    public MemorySegment map(long bytes) {
      calls.add("map " + bytes);
      return arena.allocate(bytes);
    }

    @Override
    public void seal(MemorySegment pages) {
      calls.add("seal");
      throw new CodeRefused("the system does not make memory executable");
    }

    @Override
    public void unmap(MemorySegment pages) {
      calls.add("unmap");
    }
  }
}
