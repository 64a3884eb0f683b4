package dev.ridgeline.tensor.kernel.assembled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AssemblerTest {
  private static final Gpr[] REGISTERS = Gpr.values();

  /** Offsets that end one way of encoding and begin the next, and where nothing is counted. */
  private static final int[] OFFSETS = {
    0, 64, 127, 128, -128, -129, 8128, 8192, -8192, -8256, 1000
  };

  @Test
  void everyInstructionOfVectorsReadsAsItWasWritten() throws Exception {
    long seed = 20261115;
    var random = new SplittableRandom(seed);
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      int bits = random.nextBoolean() ? 512 : 256;
      Vec a = any(random, bits);
      Vec b = any(random, bits);
      Vec c = any(random, bits);
      String three = " %s,%s,%s".formatted(a, b, c);
      switch (random.nextInt(4)) {
        case 0 -> {
          code.vpxor(a, b, c);
          expected.add((bits == 512 ? "vpxord" : "vpxor") + three);
        }
        case 1 -> {
          code.vfmadd231ps(a, b, c);
          expected.add("vfmadd231ps" + three);
        }
        case 2 -> {
          code.vpdpbusd(a, b, c);
          expected.add((bits == 512 ? "vpdpbusd" : "{vex} vpdpbusd") + three);
        }
        default -> {
          if (bits == 256) continue;
          code.vdpbf16ps(a, b, c);
          expected.add("vdpbf16ps" + three);
        }
      }
    }
    assertThat(Disassembler.read(code.code())).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void everyAddressReadsAsItWasWritten() throws Exception {
    var random = new SplittableRandom(5);
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    for (int bits : new int[] {256, 512}) {
      for (Gpr base : REGISTERS) {
        for (int offset : OFFSETS) {
          Vec vec = any(random, bits);
          String size = bits == 512 ? "ZMMWORD PTR " : "YMMWORD PTR ";
          String at = size + address(base, offset);
          code.vmovups(vec, base, offset);
          expected.add("vmovups %s,%s".formatted(vec, at));
          code.vmovups(base, offset, vec);
          expected.add("vmovups %s,%s".formatted(at, vec));
          code.vmovntps(base, offset, vec);
          expected.add("vmovntps %s,%s".formatted(at, vec));
        }
      }
    }
    for (Gpr base : REGISTERS) {
      for (int offset : OFFSETS) {
        code.store32(base, offset, Gpr.R10);
        expected.add("mov DWORD PTR %s,r10d".formatted(address(base, offset)));
      }
    }
    assertThat(Disassembler.read(code.code())).isEqualTo(expected);
  }

  @Test
  void everyInstructionOfGeneralRegistersReadsAsItWasWritten() throws Exception {
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    for (Gpr a : REGISTERS) {
      String name = name(a);
      for (Gpr b : REGISTERS) {
        code.mov(a, b);
        expected.add("mov %s,%s".formatted(name, name(b)));
        code.or(a, b);
        expected.add("or %s,%s".formatted(name, name(b)));
      }
      code.add(a, 1024);
      expected.add("add %s,0x400".formatted(name));
      code.sub(a, 1024);
      expected.add("sub %s,0x400".formatted(name));
      code.dec(a);
      expected.add("dec " + name);
      code.shl(a, 32);
      expected.add("shl %s,0x20".formatted(name));
      code.push(a);
      expected.add("push " + name);
      code.pop(a);
      expected.add("pop " + name);
    }
    code.mov32(Gpr.RAX, Gpr.RDI);
    expected.add("mov eax,edi");
    code.mov32(Gpr.R9, Gpr.RSI);
    expected.add("mov r9d,esi");
    code.xor32(Gpr.RCX, Gpr.RCX);
    expected.add("xor ecx,ecx");
    code.cpuid();
    expected.add("cpuid");
    code.xgetbv();
    expected.add("xgetbv");
    code.sfence();
    expected.add("sfence");
    code.vzeroupper();
    expected.add("vzeroupper");
    int place = code.here();
    code.dec(Gpr.RDX);
    expected.add("dec rdx");
    code.jnz(place);
    expected.add("jne 0x" + Integer.toHexString(place));
    code.ret();
    expected.add("ret");
    assertThat(Disassembler.read(code.code())).isEqualTo(expected);
  }

  @Test
  void registersThatDoNotExistAreRefused() {
    assertThatThrownBy(() -> new Vec(16, 256)).hasMessage("register 16 of 256 bits");
    assertThatThrownBy(() -> new Vec(32, 512)).hasMessage("register 32 of 512 bits");
    assertThatThrownBy(() -> new Vec(0, 128)).hasMessage("register 0 of 128 bits");
    assertThatThrownBy(
            () -> new Assembler().vpxor(new Vec(1, 512), new Vec(2, 256), new Vec(3, 512)))
        .hasMessage("zmm1, ymm2, zmm3");
  }

  private static Vec any(SplittableRandom random, int bits) {
    return new Vec(random.nextInt(bits == 512 ? 32 : 16), bits);
  }

  private static String name(Gpr register) {
    return register.name().toLowerCase(Locale.ROOT);
  }

  private static String address(Gpr base, int offset) {
    String sign = offset < 0 ? "-" : "+";
    // Where the encoding needs an offset, or one byte more, objdump shows it.
    boolean needed = base == Gpr.RBP || base == Gpr.R13;
    String behind =
        offset == 0 && !needed ? "" : sign + "0x" + Integer.toHexString(Math.abs(offset));
    return "[%s%s]".formatted(name(base), behind);
  }
}
