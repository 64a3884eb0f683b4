package dev.ridgeline.tensor.kernel.assembled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.kernel.assembled.Assembler.Compare;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AssemblerTest {
  private static final Gpr[] REGISTERS = Gpr.values();

  /** Offsets that end one way of encoding and begin the next, and where nothing is counted. */
  private static final int[] OFFSETS = {
    0, 4, 16, 64, 127, 128, 508, 512, -128, -129, 2032, 4064, 8128, 8192, -8192, -8256, 1000
  };

  /** An instruction with a result and two operands. */
  private interface Three {
    void write(Assembler code, Vec to, Vec a, Operand b);
  }

  /** An instruction with a result and one operand. */
  private interface Two {
    void write(Assembler code, Vec to, Operand from);
  }

  private record Named<T>(String vex, String evex, T instruction) {
    String name(int bits) {
      return bits == 512 ? evex : vex;
    }
  }

  private static <T> Named<T> same(String name, T instruction) {
    return new Named<>(name, name, instruction);
  }

  private static <T> Named<T> zmm(String name, T instruction) {
    return new Named<>(null, name, instruction);
  }

  private static final List<Named<Three>> THREES =
      List.of(
          same("vaddps", Assembler::vaddps),
          same("vsubps", Assembler::vsubps),
          same("vmulps", Assembler::vmulps),
          same("vdivps", Assembler::vdivps),
          same("vminps", Assembler::vminps),
          same("vmaxps", Assembler::vmaxps),
          same("vfmadd231ps", Assembler::vfmadd231ps),
          same("vfmadd213ps", Assembler::vfmadd213ps),
          same("vfmsub213ps", Assembler::vfmsub213ps),
          same("vfnmadd231ps", Assembler::vfnmadd231ps),
          same("vpermps", Assembler::vpermps),
          same("vunpcklps", Assembler::vunpcklps),
          same("vunpckhps", Assembler::vunpckhps),
          same("vpaddd", Assembler::vpaddd),
          same("vpmaxud", Assembler::vpmaxud),
          same("vpmaxsd", Assembler::vpmaxsd),
          same("vpsubd", Assembler::vpsubd),
          same("vpackssdw", Assembler::vpackssdw),
          same("vpermd", Assembler::vpermd),
          zmm("vscalefps", Assembler::vscalefps),
          zmm("vdpbf16ps", Assembler::vdpbf16ps),
          new Named<>("{vex} vpdpbusd", "vpdpbusd", Assembler::vpdpbusd),
          new Named<>("vpand", "vpandd", Assembler::vpand),
          new Named<>("vpandn", "vpandnd", Assembler::vpandn),
          new Named<>("vpor", "vpord", Assembler::vpor),
          new Named<>("vpxor", "vpxord", Assembler::vpxor));

  /** Those on bytes and words, which no single number is broadcast for. */
  private static final List<Named<Three>> NARROW =
      List.of(
          same("vpaddb", Assembler::vpaddb),
          same("vpaddw", Assembler::vpaddw),
          same("vpacksswb", Assembler::vpacksswb),
          same("vpmaddwd", Assembler::vpmaddwd),
          same("vpmaddubsw", Assembler::vpmaddubsw),
          same("vpshufb", Assembler::vpshufb));

  private static final List<Named<Two>> TWOS =
      List.of(
          same("vsqrtps", Assembler::vsqrtps),
          same("vcvtdq2ps", Assembler::vcvtdq2ps),
          same("vcvtps2dq", Assembler::vcvtps2dq));

  @Test
  void instructionsOnRegistersReadAsTheyWereWritten() throws Exception {
    long seed = 20261115;
    var random = new SplittableRandom(seed);
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      for (Named<Three> each : THREES) {
        int bits = each.vex == null || random.nextBoolean() ? 512 : 256;
        Vec a = result(random, bits);
        Vec b = any(random, bits);
        Vec c = any(random, bits);
        each.instruction.write(code, a, b, c);
        expected.add("%s %s,%s,%s".formatted(each.name(bits), a, b, c));
      }
      for (Named<Two> each : TWOS) {
        int bits = random.nextBoolean() ? 512 : 256;
        Vec a = result(random, bits);
        Vec b = any(random, bits);
        each.instruction.write(code, a, b);
        expected.add("%s %s,%s".formatted(each.name(bits), a, b));
      }
    }
    assertThat(Disassembler.read(code.code())).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void instructionsOnMemoryReadAsTheyWereWritten() throws Exception {
    long seed = 7;
    var random = new SplittableRandom(seed);
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      for (Named<Three> each : THREES) {
        int bits = each.vex == null || random.nextBoolean() ? 512 : 256;
        Vec a = result(random, bits);
        Vec b = any(random, bits);
        Mem mem = place(random);
        if (bits == 512 && random.nextBoolean()) mem = mem.each();
        each.instruction.write(code, a, b, mem);
        expected.add("%s %s,%s,%s".formatted(each.name(bits), a, b, told(mem, bits)));
      }
      for (Named<Two> each : TWOS) {
        int bits = random.nextBoolean() ? 512 : 256;
        Vec a = result(random, bits);
        Mem mem = place(random);
        if (bits == 512 && random.nextBoolean()) mem = mem.each();
        each.instruction.write(code, a, mem);
        expected.add("%s %s,%s".formatted(each.name(bits), a, told(mem, bits)));
      }
    }
    assertThat(Disassembler.read(code.code())).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void instructionsOnBytesAndWordsReadAsTheyWereWritten() throws Exception {
    long seed = 17;
    var random = new SplittableRandom(seed);
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      for (Named<Three> each : NARROW) {
        int bits = random.nextBoolean() ? 512 : 256;
        Vec a = result(random, bits);
        Vec b = any(random, bits);
        Vec c = any(random, bits);
        each.instruction.write(code, a, b, c);
        expected.add("%s %s,%s,%s".formatted(each.name(bits), a, b, c));
        Mem mem = place(random);
        each.instruction.write(code, a, b, mem);
        expected.add("%s %s,%s,%s".formatted(each.name(bits), a, b, told(mem, bits)));
      }
    }
    assertThat(Disassembler.read(code.code())).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void instructionsOfNarrowRegistersAloneReadAsTheyWereWritten() throws Exception {
    var random = new SplittableRandom(13);
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Vec a = any(random, 256);
      Vec b = any(random, 256);
      Vec c = any(random, 256);
      Mem mem = place(random);
      code.vmaskmovps(a, b, mem);
      expected.add("vmaskmovps %s,%s,%s".formatted(a, b, told(mem, 256)));
      code.vmaskmovps(mem, b, a);
      expected.add("vmaskmovps %s,%s,%s".formatted(told(mem, 256), b, a));
      code.vblendvps(a, b, mem, c);
      expected.add("vblendvps %s,%s,%s,%s".formatted(a, b, told(mem, 256), c));
      code.vperm2f128(a, b, c, 0x31);
      expected.add("vperm2f128 %s,%s,%s,0x31".formatted(a, b, c));
      code.vcmpps(a, b, c, Compare.LESS);
      expected.add("vcmpltps %s,%s,%s".formatted(a, b, c));
      code.vmovd(a, mem.base());
      expected.add("vmovd %s,%s".formatted(a.as(128), half(mem.base())));
    }
    assertThat(Disassembler.read(code.code())).isEqualTo(expected);
  }

  @Test
  void constantsLieBehindTheCodeAndAreFoundFromAnywhere() throws Exception {
    var random = new SplittableRandom(23);
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    int[] eight = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 10; i++) {
      Vec narrow = any(random, 256);
      Vec wide = any(random, 512);
      Gpr general = REGISTERS[random.nextInt(16)];
      code.vaddps(narrow, narrow, code.constant(eight));
      expected.add("vaddps %s,%s,YMMWORD PTR [rip+] # %d".formatted(narrow, narrow, 0));
      // With a number behind the distance.
      code.vcmpps(narrow, narrow, code.constant(eight), Compare.LESS);
      expected.add("vcmpltps %s,%s,YMMWORD PTR [rip+] # %d".formatted(narrow, narrow, 0));
      code.vbroadcastss(wide, code.constant(42));
      expected.add("vbroadcastss %s,DWORD PTR [rip+] # %d".formatted(wide, 32));
      code.vmulps(wide, wide, code.constant(42).each());
      expected.add("vmulps %s,%s,DWORD BCST [rip+] # %d".formatted(wide, wide, 32));
      code.lea(general, code.constant(eight));
      expected.add("lea %s,[rip+] # %d".formatted(name(general), 0));
    }
    code.ret();
    byte[] all = code.code();
    int pool = all.length - 36;
    assertThat(pool % 32).isZero();
    var words = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 8; i++) assertThat(words.getInt(pool + 4 * i)).isEqualTo(eight[i]);
    assertThat(words.getInt(pool + 32)).isEqualTo(42);
    List<String> read = Disassembler.read(all).subList(0, expected.size() + 1);
    assertThat(read.getLast()).isEqualTo("ret");
    for (int i = 0; i < expected.size(); i++) {
      String[] parts = read.get(i).replaceAll("rip\\+0x[0-9a-f]+", "rip+").split(" # 0x");
      int at = Integer.parseInt(parts[1], 16) - pool;
      assertThat(parts[0] + " # " + at).isEqualTo(expected.get(i));
    }
    assertThat(code.code()).isEqualTo(all);
    assertThatThrownBy(() -> code.constant(eight).plus(4)).hasMessage("within a constant");
  }

  @Test
  void instructionsOfTilesReadAsTheyWereWritten() throws Exception {
    var random = new SplittableRandom(19);
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      // The processor refuses a product of a tile with itself.
      int first = random.nextInt(8);
      Tile a = new Tile(first);
      Tile b = new Tile((first + 1 + random.nextInt(3)) % 8);
      Tile c = new Tile((first + 4 + random.nextInt(4)) % 8);
      Mem mem = place(random);
      code.ldtilecfg(mem);
      expected.add("ldtilecfg " + address(mem));
      if (mem.index() != null) {
        code.tileloadd(a, mem);
        expected.add("tileloadd %s,%s".formatted(a, address(mem)));
        code.tilestored(mem, a);
        expected.add("tilestored %s,%s".formatted(address(mem), a));
      }
      code.tilezero(a);
      expected.add("tilezero " + a);
      code.tdpbssd(a, b, c);
      expected.add("tdpbssd %s,%s,%s".formatted(a, b, c));
      code.tdpbsud(a, b, c);
      expected.add("tdpbsud %s,%s,%s".formatted(a, b, c));
      code.tdpbf16ps(a, b, c);
      expected.add("tdpbf16ps %s,%s,%s".formatted(a, b, c));
      code.tilerelease();
      expected.add("tilerelease");
    }
    assertThat(Disassembler.read(code.code())).isEqualTo(expected);
    assertThatThrownBy(() -> code.tileloadd(new Tile(0), Mem.at(Gpr.RAX)))
        .hasMessage("a tile needs an index");
    assertThatThrownBy(() -> new Tile(8)).hasMessage("tile register 8");
  }

  @Test
  void movesAndConversionsReadAsTheyWereWritten() throws Exception {
    var random = new SplittableRandom(11);
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    for (int bits : new int[] {256, 512}) {
      for (int offset : OFFSETS) {
        Gpr base = REGISTERS[random.nextInt(16)];
        Mem mem = Mem.at(base, offset);
        Vec v = any(random, bits);
        Vec low = any(random, 256);
        code.vmovups(v, mem);
        expected.add("vmovups %s,%s".formatted(v, told(mem, bits)));
        code.vmovups(mem, v);
        expected.add("vmovups %s,%s".formatted(told(mem, bits), v));
        code.vmovntps(mem, v);
        expected.add("vmovntps %s,%s".formatted(told(mem, bits), v));
        code.vbroadcastss(v, mem);
        expected.add("vbroadcastss %s,%s".formatted(v, told(mem, 32)));
        code.vpbroadcastd(v, mem);
        expected.add("vpbroadcastd %s,%s".formatted(v, told(mem, 32)));
        code.vbroadcastss(v, low);
        expected.add("vbroadcastss %s,%s".formatted(v, low.as(128)));
        code.vpbroadcastd(v, low);
        expected.add("vpbroadcastd %s,%s".formatted(v, low.as(128)));
        code.vcvtph2ps(v, mem);
        expected.add("vcvtph2ps %s,%s".formatted(v, told(mem, bits / 2)));
        code.vcvtph2ps(v, low);
        expected.add("vcvtph2ps %s,%s".formatted(v, low.as(bits / 2)));
        code.vpmovsxbd(v, mem);
        expected.add("vpmovsxbd %s,%s".formatted(v, told(mem, bits / 4)));
        code.vpmovzxbd(v, mem);
        expected.add("vpmovzxbd %s,%s".formatted(v, told(mem, bits / 4)));
        code.vpmovzxbd(v, low);
        expected.add("vpmovzxbd %s,%s".formatted(v, low.as(128)));
        code.vpmovzxwd(v, mem);
        expected.add("vpmovzxwd %s,%s".formatted(v, told(mem, bits / 2)));
        code.vpmovzxwd(v, low);
        expected.add("vpmovzxwd %s,%s".formatted(v, low.as(bits / 2)));
        code.vroundps(v, mem);
        String rounds = bits == 512 ? "vrndscaleps" : "vroundps";
        expected.add("%s %s,%s,0x8".formatted(rounds, v, told(mem, bits)));
        code.vpermilps(v, v, 0x4E);
        expected.add("vpermilps %s,%s,0x4e".formatted(v, v));
        code.vmovaps(v, v);
        expected.add("vmovaps %s,%s".formatted(v, v));
        Vec other = any(random, bits);
        code.vunpcklpd(v, v, other);
        expected.add("vunpcklpd %s,%s,%s".formatted(v, v, other));
        code.vunpckhpd(v, other, v);
        expected.add("vunpckhpd %s,%s,%s".formatted(v, other, v));
        code.vmovss(low, mem);
        expected.add("vmovss %s,%s".formatted(low.as(128), told(mem, 32)));
        code.vmovss(mem, low);
        expected.add("vmovss %s,%s".formatted(told(mem, 32), low.as(128)));
        Vec shifted = any(random, bits);
        code.vpslld(v, shifted, 23);
        expected.add("vpslld %s,%s,0x17".formatted(v, shifted));
        code.vpsrld(v, shifted, 4);
        expected.add("vpsrld %s,%s,0x4".formatted(v, shifted));
        code.vpsrlw(v, shifted, 4);
        expected.add("vpsrlw %s,%s,0x4".formatted(v, shifted));
        code.vpermq(v, shifted, 0xD8);
        expected.add("vpermq %s,%s,0xd8".formatted(v, shifted));
        if (bits == 256) {
          code.vextractf128(low.as(128), v);
          expected.add("vextractf128 %s,%s,0x1".formatted(low.as(128), v));
          continue;
        }
        code.vshuff32x4(v, other, v, 0xDD);
        expected.add("vshuff32x4 %s,%s,%s,0xdd".formatted(v, other, v));
        code.vpternlogd(v, other, v, 0xE4);
        expected.add("vpternlogd %s,%s,%s,0xe4".formatted(v, other, v));
        code.vpternlogd(v, other, mem, 0xCA);
        expected.add("vpternlogd %s,%s,%s,0xca".formatted(v, other, told(mem, 512)));
        code.vpmovsdb(mem, v);
        expected.add("vpmovsdb %s,%s".formatted(told(mem, 128), v));
        code.vmovaps(v.merging(new Mask(2)), other);
        expected.add("vmovaps %s,%s".formatted(v.merging(new Mask(2)), other));
        code.vpmovdw(mem, v);
        expected.add("vpmovdw %s,%s".formatted(told(mem, 256), v));
        code.vcvtneps2bf16(low, v);
        expected.add("vcvtneps2bf16 %s,%s".formatted(low, v));
        code.vextractf64x4(low, v);
        expected.add("vextractf64x4 %s,%s,0x1".formatted(low, v));
        code.vpbroadcastd(v, base);
        expected.add("vpbroadcastd %s,%s".formatted(v, half(base)));
        Mask mask = new Mask(1 + random.nextInt(7));
        code.kmovw(mask, base);
        expected.add("kmovw %s,%s".formatted(mask, half(base)));
        code.vcmpps(mask, v, mem, Compare.LESS);
        expected.add("vcmpltps %s,%s,%s".formatted(mask, v, told(mem, 512)));
        code.vmovups(v.zeroing(mask), mem);
        expected.add("vmovups %s,%s".formatted(v.zeroing(mask), told(mem, 512)));
        code.vmovups(mem, v.merging(mask));
        expected.add("vmovups %s{%s},%s".formatted(told(mem, 512), mask, v));
        code.vpgatherdd(v.merging(mask), base, other, 1000);
        expected.add(
            "vpgatherdd %s,DWORD PTR [%s+%s*1+0x3e8]"
                .formatted(v.merging(mask), name(base), other));
      }
    }
    assertThat(Disassembler.read(code.code())).isEqualTo(expected);
  }

  @Test
  void instructionsOfGeneralRegistersReadAsTheyWereWritten() throws Exception {
    var code = new Assembler();
    List<String> expected = new ArrayList<>();
    for (Gpr a : REGISTERS) {
      String name = name(a);
      for (Gpr b : REGISTERS) {
        code.mov(a, b);
        expected.add("mov %s,%s".formatted(name, name(b)));
        code.or(a, b);
        expected.add("or %s,%s".formatted(name, name(b)));
        code.add(a, b);
        expected.add("add %s,%s".formatted(name, name(b)));
        code.sub(a, b);
        expected.add("sub %s,%s".formatted(name, name(b)));
        code.cmp(a, b);
        expected.add("cmp %s,%s".formatted(name, name(b)));
        code.test(a, b);
        expected.add("test %s,%s".formatted(name, name(b)));
        code.imulBy(a, b);
        expected.add("imul %s,%s".formatted(name, name(b)));
        code.imul(a, b, 1088);
        expected.add("imul %s,%s,0x440".formatted(name, name(b)));
        if (b == Gpr.RSP) continue;
        Mem indexed = Mem.at(a, b, 4, 100);
        code.lea(Gpr.R11, indexed);
        expected.add("lea r11," + address(indexed));
        code.load(b, indexed);
        expected.add("mov %s,QWORD PTR %s".formatted(name(b), address(indexed)));
      }
      for (int offset : OFFSETS) {
        Mem mem = Mem.at(a, offset);
        code.store32(mem, Gpr.R10);
        expected.add("mov DWORD PTR %s,r10d".formatted(address(mem)));
        code.load32(Gpr.R10, mem);
        expected.add("mov r10d,DWORD PTR " + address(mem));
        code.store(mem, Gpr.RCX);
        expected.add("mov QWORD PTR %s,rcx".formatted(address(mem)));
        code.prefetcht0(mem);
        expected.add("prefetcht0 BYTE PTR " + address(mem));
        code.prefetcht1(mem);
        expected.add("prefetcht1 BYTE PTR " + address(mem));
      }
      code.add(a, 1024);
      expected.add(number("add", a, 1024));
      code.add(a, 64);
      expected.add(number("add", a, 64));
      code.sub(a, 1024);
      expected.add(number("sub", a, 1024));
      code.and(a, 15);
      expected.add(number("and", a, 15));
      code.cmp(a, 8);
      expected.add(number("cmp", a, 8));
      code.mov32(a, 4096);
      expected.add("mov %s,0x1000".formatted(half(a)));
      code.dec(a);
      expected.add("dec " + name);
      code.shl(a, 32);
      expected.add("shl %s,0x20".formatted(name));
      code.shlByCl(a);
      expected.add("shl %s,cl".formatted(name));
      code.shr(a, 3);
      expected.add("shr %s,0x3".formatted(name));
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
    assertThat(Disassembler.read(code.code())).isEqualTo(expected);
  }

  @Test
  void jumpsLeadForwardAndBack() throws Exception {
    var code = new Assembler();
    Label end = new Label();
    int start = code.length();
    Label back = code.here();
    code.jz(end);
    code.jl(end);
    code.jge(back);
    code.jle(back);
    code.jg(end);
    code.jnz(back);
    code.jmp(end);
    code.bind(end);
    code.ret();
    String to = "0x" + Integer.toHexString(code.length() - 1);
    String from = "0x" + Integer.toHexString(start);
    assertThat(Disassembler.read(code.code()))
        .isEqualTo(
            List.of(
                "je " + to,
                "jl " + to,
                "jge " + from,
                "jle " + from,
                "jg " + to,
                "jne " + from,
                "jmp " + to,
                "ret"));
    assertThatThrownBy(() -> code.bind(end)).hasMessage("a label in two places");
  }

  @Test
  void registersThatDoNotExistAreRefused() {
    assertThatThrownBy(() -> new Vec(16, 256)).hasMessage("register 16 of 256 bits");
    assertThatThrownBy(() -> new Vec(32, 512)).hasMessage("register 32 of 512 bits");
    assertThatThrownBy(() -> new Vec(0, 64)).hasMessage("register 0 of 64 bits");
    assertThatThrownBy(() -> new Mask(0)).hasMessage("mask register 0");
    assertThatThrownBy(() -> new Vec(1, 256).zeroing(new Mask(1))).hasMessage("mask of 256 bits");
    assertThatThrownBy(() -> Mem.at(Gpr.RAX, Gpr.RSP, 1, 0)).hasMessage("1 times RSP");
    var code = new Assembler();
    Vec ymm = new Vec(2, 256);
    Vec zmm = new Vec(3, 512);
    assertThatThrownBy(() -> code.vpxor(zmm, ymm, zmm)).hasMessage("zmm3, ymm2, zmm3");
    assertThatThrownBy(() -> code.vpxor(zmm, zmm, ymm)).hasMessage("zmm3, zmm3, ymm2");
    assertThatThrownBy(() -> code.vscalefps(ymm, ymm, ymm)).hasMessage("not of ymm2");
    assertThatThrownBy(() -> code.vaddps(ymm, ymm, Mem.at(Gpr.RAX).each()))
        .hasMessage("broadcast to ymm2");
    assertThat(code.length()).isZero();
  }

  private static Vec any(SplittableRandom random, int bits) {
    return new Vec(random.nextInt(bits == 512 ? 32 : 16), bits);
  }

  /** A register to write to, with or without a mask. */
  private static Vec result(SplittableRandom random, int bits) {
    Vec vec = any(random, bits);
    if (bits != 512) return vec;
    Mask mask = new Mask(1 + random.nextInt(7));
    return switch (random.nextInt(3)) {
      case 0 -> vec.merging(mask);
      case 1 -> vec.zeroing(mask);
      default -> vec;
    };
  }

  private static Mem place(SplittableRandom random) {
    Gpr base = REGISTERS[random.nextInt(16)];
    int offset = OFFSETS[random.nextInt(OFFSETS.length)];
    Gpr index = REGISTERS[random.nextInt(16)];
    if (index == Gpr.RSP) return Mem.at(base, offset);
    return Mem.at(base, index, 1 << random.nextInt(4), offset);
  }

  private static String name(Gpr register) {
    return register.name().toLowerCase(Locale.ROOT);
  }

  private static String half(Gpr register) {
    String name = name(register);
    return name.matches("r\\d+") ? name + "d" : "e" + name.substring(1);
  }

  private static String number(String operation, Gpr to, int number) {
    return "%s %s,0x%x".formatted(operation, name(to), number);
  }

  private static String told(Mem mem, int bits) {
    if (mem.broadcast()) return "DWORD BCST " + address(mem);
    String size =
        switch (bits) {
          case 512 -> "ZMMWORD";
          case 256 -> "YMMWORD";
          case 128 -> "XMMWORD";
          case 64 -> "QWORD";
          default -> "DWORD";
        };
    return size + " PTR " + address(mem);
  }

  private static String address(Mem mem) {
    String index = mem.index() == null ? "" : "+%s*%d".formatted(name(mem.index()), mem.scale());
    int offset = mem.offset();
    // Where the encoding needs an offset objdump shows it.
    boolean needed = mem.base() == Gpr.RBP || mem.base() == Gpr.R13;
    String behind =
        offset == 0 && !needed
            ? ""
            : (offset < 0 ? "-" : "+") + "0x" + Integer.toHexString(Math.abs(offset));
    return "[%s%s%s]".formatted(name(mem.base()), index, behind);
  }
}
