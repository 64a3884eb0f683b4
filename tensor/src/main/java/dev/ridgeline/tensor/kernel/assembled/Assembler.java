package dev.ridgeline.tensor.kernel.assembled;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Turns instructions into bytes, one method each, named as the processor's manual names them and
 * with the result first.
 *
 * <p>Vector instructions are encoded by the width of their registers: VEX for xmm and ymm, EVEX for
 * zmm. Only what our code needs is here; a test compares every method with a disassembler.
 */
public final class Assembler {
  /** Which mandatory prefix an instruction of vectors has. */
  private static final int NONE = 0;

  private static final int P66 = 1;
  private static final int PF3 = 2;
  private static final int PF2 = 3;

  /** Which table its opcode is of. */
  private static final int MAP_0F = 1;

  private static final int MAP_0F38 = 2;
  private static final int MAP_0F3A = 3;

  /** Set in a table where EVEX wants its bit W. */
  private static final int W1 = 1 << 8;

  /** The same of VEX. */
  private static final int VEX_W1 = 1 << 9;

  /** A vector of constants shall not lie in two lines of the cache. */
  private static final int CONSTANT_ALIGNMENT = 64;

  /** An instruction that nothing should reach. */
  private static final int INT3 = 0xCC;

  private byte[] code = new byte[1024];
  private int length;

  /** Bytes of an instruction behind its operands. */
  private int following;

  private final List<Constant> constants = new ArrayList<>();
  private final List<Reference> references = new ArrayList<>();

  /** Words that will follow the code. */
  private record Constant(Label label, int[] words) {}

  /**
   * An operand that is a constant.
   *
   * @param at where its distance is to be written
   * @param end where it counts from: the end of the instruction
   */
  private record Reference(int at, int end, Label to) {}

  /** What was assembled so far, and the constants after it. */
  public byte[] code() {
    place();
    return Arrays.copyOf(code, length);
  }

  private void place() {
    for (Constant each : constants) {
      int alignment = Math.min(CONSTANT_ALIGNMENT, 4 * each.words.length);
      while (length % alignment != 0) put(INT3);
      bind(each.label);
      for (int word : each.words) put32(word);
    }
    for (Reference each : references) put32(each.at, each.to.place - each.end);
    constants.clear();
    references.clear();
  }

  /** Words that will follow the code, wherever that runs. */
  public Mem constant(int... words) {
    for (Constant each : constants) {
      if (Arrays.equals(each.words, words)) return Mem.constant(each.label);
    }
    Label label = new Label();
    constants.add(new Constant(label, words));
    return Mem.constant(label);
  }

  /** Bytes so far. */
  public int length() {
    return length;
  }

  // Places.

  /** A place here, to jump back to. */
  public Label here() {
    Label label = new Label();
    bind(label);
    return label;
  }

  /** From now on jumps to a label lead here. */
  public void bind(Label label) {
    if (label.place != Label.UNKNOWN) throw new IllegalStateException("a label in two places");
    label.place = length;
    for (int at : label.waiting) put32(at, length - (at + 4));
  }

  /** Jumps always. */
  public void jmp(Label to) {
    put(0xE9);
    distance(to);
  }

  /** Jumps if the last result was zero, or both compared were equal. */
  public void jz(Label to) {
    jump(0x84, to);
  }

  public void jnz(Label to) {
    jump(0x85, to);
  }

  /** Jumps if the first of two compared numbers was less; they have signs. */
  public void jl(Label to) {
    jump(0x8C, to);
  }

  public void jge(Label to) {
    jump(0x8D, to);
  }

  public void jle(Label to) {
    jump(0x8E, to);
  }

  public void jg(Label to) {
    jump(0x8F, to);
  }

  private void jump(int opcode, Label to) {
    put(0x0F, opcode);
    distance(to);
  }

  private void distance(Label to) {
    if (to.place == Label.UNKNOWN) to.waiting.add(length);
    put32(to.place - (length + 4));
  }

  public void ret() {
    put(0xC3);
  }

  // General registers; 64 bits unless the name says otherwise.

  public void mov(Gpr to, Gpr from) {
    general(true, 0x89, from, to);
  }

  public void mov32(Gpr to, Gpr from) {
    general(false, 0x89, from, to);
  }

  /** A number of 32 bits without sign. */
  public void mov32(Gpr to, int number) {
    narrow(0, 0, to.ordinal());
    put(0xB8 | to.ordinal() & 7);
    put32(number);
  }

  public void load(Gpr to, Mem from) {
    general(true, 0x8B, to, from);
  }

  /** 32 bits, the upper half becomes zero. */
  public void load32(Gpr to, Mem from) {
    general(false, 0x8B, to, from);
  }

  public void store(Mem to, Gpr from) {
    general(true, 0x89, from, to);
  }

  /** Stores the lower half of a register. */
  public void store32(Mem to, Gpr from) {
    general(false, 0x89, from, to);
  }

  /** The address itself. */
  public void lea(Gpr to, Mem place) {
    general(true, 0x8D, to, place);
  }

  public void add(Gpr to, Gpr from) {
    general(true, 0x01, from, to);
  }

  public void sub(Gpr to, Gpr from) {
    general(true, 0x29, from, to);
  }

  public void or(Gpr to, Gpr from) {
    general(true, 0x09, from, to);
  }

  public void xor32(Gpr to, Gpr from) {
    general(false, 0x31, from, to);
  }

  public void cmp(Gpr a, Gpr b) {
    general(true, 0x39, b, a);
  }

  public void test(Gpr a, Gpr b) {
    general(true, 0x85, b, a);
  }

  public void add(Gpr to, int number) {
    immediate(0, to, number);
  }

  public void sub(Gpr to, int number) {
    immediate(5, to, number);
  }

  public void and(Gpr to, int number) {
    immediate(4, to, number);
  }

  public void cmp(Gpr to, int number) {
    immediate(7, to, number);
  }

  /** {@code to *= by}. */
  public void imulBy(Gpr to, Gpr by) {
    wide(to.ordinal(), 0, by.ordinal());
    put(0x0F, 0xAF);
    registers(to.ordinal(), by.ordinal());
  }

  /** {@code to = a · number}. */
  public void imul(Gpr to, Gpr a, int number) {
    general(true, 0x69, to, a);
    put32(number);
  }

  public void dec(Gpr register) {
    wide(0, 0, register.ordinal());
    put(0xFF);
    registers(1, register.ordinal());
  }

  public void shl(Gpr register, int by) {
    shift(4, register, by);
  }

  public void shr(Gpr register, int by) {
    shift(5, register, by);
  }

  /** Shifts by the lowest byte of RCX. */
  public void shlByCl(Gpr register) {
    wide(0, 0, register.ordinal());
    put(0xD3);
    registers(4, register.ordinal());
  }

  private void shift(int operation, Gpr register, int by) {
    wide(0, 0, register.ordinal());
    put(0xC1);
    registers(operation, register.ordinal());
    put(by);
  }

  public void push(Gpr register) {
    narrow(0, 0, register.ordinal());
    put(0x50 | register.ordinal() & 7);
  }

  public void pop(Gpr register) {
    narrow(0, 0, register.ordinal());
    put(0x58 | register.ordinal() & 7);
  }

  public void cpuid() {
    put(0x0F, 0xA2);
  }

  public void xgetbv() {
    put(0x0F, 0x01, 0xD0);
  }

  // Memory.

  /** Waits until streamed stores have left for memory. */
  public void sfence() {
    put(0x0F, 0xAE, 0xF8);
  }

  /** Has a line fetched into all caches. */
  public void prefetcht0(Mem line) {
    prefetch(1, line);
  }

  /** Has a line fetched into the second cache. */
  public void prefetcht1(Mem line) {
    prefetch(2, line);
  }

  private void prefetch(int hint, Mem line) {
    narrow(0, high(line.index()), number(line.base()));
    put(0x0F, 0x18);
    memory(hint, line, 1);
  }

  // Vectors: moves.

  /** Before code that knows nothing of wide registers goes on: it would be slow otherwise. */
  public void vzeroupper() {
    put(0xC5, 0xF8, 0x77);
  }

  public void vmovaps(Vec to, Vec from) {
    vector(NONE, MAP_0F, 0x28, 1, to, null, from);
  }

  public void vmovups(Vec to, Mem from) {
    vector(NONE, MAP_0F, 0x10, 1, to, null, from);
  }

  /** The mask, if any, is the register's. */
  public void vmovups(Mem to, Vec from) {
    vector(NONE, MAP_0F, 0x11, 1, from, null, to);
  }

  /** One f32; the rest of the register becomes zero. */
  public void vmovss(Vec to, Mem from) {
    scalar(0x10, to, from);
  }

  public void vmovss(Mem to, Vec from) {
    scalar(0x11, from, to);
  }

  private void scalar(int opcode, Vec register, Mem place) {
    vector(PF3, MAP_0F, opcode, 0, register.as(128), null, place);
  }

  /** Stores past the caches; the address must be a multiple of the vector's bytes. */
  public void vmovntps(Mem to, Vec from) {
    vector(NONE, MAP_0F, 0x2B, 1, from, null, to);
  }

  /** One f32 for every lane: of memory, or the first of a register. */
  public void vbroadcastss(Vec to, Operand from) {
    vector(P66, MAP_0F38, 0x18, 0, to, null, from instanceof Vec vec ? vec.as(128) : from);
  }

  /** One i32 for every lane: of memory, or the first of a register. */
  public void vpbroadcastd(Vec to, Operand from) {
    vector(P66, MAP_0F38, 0x58, 0, to, null, from instanceof Vec vec ? vec.as(128) : from);
  }

  /** The lower half of a general register for every lane; zmm alone. */
  public void vpbroadcastd(Vec to, Gpr from) {
    evexOnly(to);
    evex(P66, MAP_0F38, to, 0, 0, from.ordinal() >> 3, false);
    put(0x7C);
    registers(to.number(), from.ordinal());
  }

  /** The lower half of a general register, the rest becomes zero. */
  public void vmovd(Vec to, Gpr from) {
    vex(P66, MAP_0F, to.number(), 0, 0, from.ordinal() >> 3, 128);
    put(0x6E);
    registers(to.number(), from.ordinal());
  }

  /** The lanes whose sign is set in the mask, the others become zero; xmm and ymm alone. */
  public void vmaskmovps(Vec to, Vec mask, Mem from) {
    vexOnly(to);
    vector(P66, MAP_0F38, 0x2C, 1, to, mask, from);
  }

  /** Stores the lanes whose sign is set in the mask; xmm and ymm alone. */
  public void vmaskmovps(Mem to, Vec mask, Vec from) {
    vexOnly(from);
    vector(P66, MAP_0F38, 0x2E, 1, from, mask, to);
  }

  /** Of b where the sign is set in the mask, else of a; xmm and ymm alone. */
  public void vblendvps(Vec to, Vec a, Operand b, Vec mask) {
    vexOnly(to);
    vector(P66, MAP_0F3A, 0x4A, 1, to, a, b, mask.number() << 4);
  }

  /** The halves of a ymm register: those of a have numbers 0 and 1, those of b 2 and 3. */
  public void vperm2f128(Vec to, Vec a, Operand b, int order) {
    vexOnly(to);
    vector(P66, MAP_0F3A, 0x06, 1, to, a, b, order);
  }

  /** The four quarters of each 256 bits in another order. */
  public void vpermq(Vec to, Operand from, int order) {
    vector(P66, MAP_0F3A | W1 | VEX_W1, 0x00, 1, to, null, from, order);
  }

  /** Lanes of i32 in the order that a says; 256 and 512 bits. */
  public void vpermd(Vec to, Vec order, Operand from) {
    vector(P66, MAP_0F38, 0x36, 1, to, order, from);
  }

  /** Bytes of each sixteen in the order that b says; zero where its sign is set. */
  public void vpshufb(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F38, 0x00, 1, to, a, b);
  }

  /** The upper half of a zmm register. */
  public void vextractf64x4(Vec to, Vec from) {
    evexOnly(from);
    evex(P66, MAP_0F3A | W1, from, 0, to.number() >> 4, to.number() >> 3 & 1, false);
    put(0x1B);
    registers(from.number(), to.number());
    put(1);
  }

  /** The upper half of a ymm register. */
  public void vextractf128(Vec to, Vec from) {
    vex(P66, MAP_0F3A, from.number(), 0, 0, to.number() >> 3, 256);
    put(0x19);
    registers(from.number(), to.number());
    put(1);
  }

  /** Lanes of each four in another order. */
  public void vpermilps(Vec to, Operand from, int order) {
    vector(P66, MAP_0F3A, 0x04, 1, to, null, from, order);
  }

  /** Lanes of b in the order that a says; 256 and 512 bits. */
  public void vpermps(Vec to, Vec order, Operand from) {
    vector(P66, MAP_0F38, 0x16, 1, to, order, from);
  }

  /** Of each four lanes the lower two of both, one by one. */
  public void vunpcklps(Vec to, Vec a, Operand b) {
    vector(NONE, MAP_0F, 0x14, 1, to, a, b);
  }

  /** Of each four lanes the upper two of both, one by one. */
  public void vunpckhps(Vec to, Vec a, Operand b) {
    vector(NONE, MAP_0F, 0x15, 1, to, a, b);
  }

  /** Of each four lanes the lower two of a, then those of b. */
  public void vunpcklpd(Vec to, Vec a, Vec b) {
    vector(P66, MAP_0F | W1, 0x14, 1, to, a, b);
  }

  /** Of each four lanes the upper two of a, then those of b. */
  public void vunpckhpd(Vec to, Vec a, Vec b) {
    vector(P66, MAP_0F | W1, 0x15, 1, to, a, b);
  }

  /** Two of the four quarters of a, then two of those of b; zmm alone. */
  public void vshuff32x4(Vec to, Vec a, Vec b, int order) {
    evexOnly(to);
    vector(P66, MAP_0F3A, 0x23, 1, to, a, b, order);
  }

  // Vectors: f32.

  public void vaddps(Vec to, Vec a, Operand b) {
    vector(NONE, MAP_0F, 0x58, 1, to, a, b);
  }

  public void vmulps(Vec to, Vec a, Operand b) {
    vector(NONE, MAP_0F, 0x59, 1, to, a, b);
  }

  public void vsubps(Vec to, Vec a, Operand b) {
    vector(NONE, MAP_0F, 0x5C, 1, to, a, b);
  }

  /** Where one is NaN, or both are zero, the second. */
  public void vminps(Vec to, Vec a, Operand b) {
    vector(NONE, MAP_0F, 0x5D, 1, to, a, b);
  }

  public void vdivps(Vec to, Vec a, Operand b) {
    vector(NONE, MAP_0F, 0x5E, 1, to, a, b);
  }

  /** Where one is NaN, or both are zero, the second. */
  public void vmaxps(Vec to, Vec a, Operand b) {
    vector(NONE, MAP_0F, 0x5F, 1, to, a, b);
  }

  public void vsqrtps(Vec to, Operand from) {
    vector(NONE, MAP_0F, 0x51, 1, to, null, from);
  }

  /** {@code to += a · b}. */
  public void vfmadd231ps(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F38, 0xB8, 1, to, a, b);
  }

  /** {@code to = a · to + b}. */
  public void vfmadd213ps(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F38, 0xA8, 1, to, a, b);
  }

  /** {@code to = a · to − b}. */
  public void vfmsub213ps(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F38, 0xAA, 1, to, a, b);
  }

  /** {@code to -= a · b}. */
  public void vfnmadd231ps(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F38, 0xBC, 1, to, a, b);
  }

  /** {@code to = a · 2^floor(b)}; zmm alone. */
  public void vscalefps(Vec to, Vec a, Operand b) {
    evexOnly(to);
    vector(P66, MAP_0F38, 0x2C, 1, to, a, b);
  }

  /** To a whole number, halves to the even one; on zmm the processor calls it vrndscaleps. */
  public void vroundps(Vec to, Operand from) {
    vector(P66, MAP_0F3A, 0x08, 1, to, null, from, 0x08); // no exception for what is not whole
  }

  /** Compares for a mask; zmm alone. */
  public void vcmpps(Mask to, Vec a, Operand b, Compare how) {
    evexOnly(a);
    vector(NONE, MAP_0F, 0xC2, 1, new Vec(to.number(), 512), a, b, how.code);
  }

  /** Compares for lanes of ones and zeros; xmm and ymm alone. */
  public void vcmpps(Vec to, Vec a, Operand b, Compare how) {
    vexOnly(to);
    vector(NONE, MAP_0F, 0xC2, 1, to, a, b, how.code);
  }

  /** How numbers are compared. */
  public enum Compare {
    EQUAL(0),
    LESS(1),
    /** One of them is no number. */
    UNORDERED(3),
    /** Or one of them is no number. */
    NOT_LESS(5);

    private final int code;

    Compare(int code) {
      this.code = code;
    }
  }

  /** The lower bits of a general register as a mask. */
  public void kmovw(Mask to, Gpr from) {
    vex(NONE, MAP_0F, to.number(), 0, 0, from.ordinal() >> 3, 128);
    put(0x92);
    registers(to.number(), from.ordinal());
  }

  // Vectors: conversions.

  public void vcvtdq2ps(Vec to, Operand from) {
    vector(NONE, MAP_0F, 0x5B, 1, to, null, from);
  }

  /** To the nearest whole number, halves to the even one. */
  public void vcvtps2dq(Vec to, Operand from) {
    vector(P66, MAP_0F, 0x5B, 1, to, null, from);
  }

  /** Half as many bytes of f16. */
  public void vcvtph2ps(Vec to, Operand from) {
    vector(P66, MAP_0F38, 0x13, 2, to, null, narrower(from, to.bits() / 2));
  }

  /** A quarter as many bytes, with their signs. */
  public void vpmovsxbd(Vec to, Operand from) {
    vector(P66, MAP_0F38, 0x21, 4, to, null, narrower(from, 128));
  }

  /** A quarter as many bytes, without signs. */
  public void vpmovzxbd(Vec to, Operand from) {
    vector(P66, MAP_0F38, 0x31, 4, to, null, narrower(from, 128));
  }

  /** Half as many bytes: u16 to u32. */
  public void vpmovzxwd(Vec to, Operand from) {
    vector(P66, MAP_0F38, 0x33, 2, to, null, narrower(from, to.bits() / 2));
  }

  /** Half as many bytes of bf16, to the nearest; what is too small to be normal is zero. */
  public void vcvtneps2bf16(Vec to, Vec from) {
    evexOnly(from);
    vector(PF3, MAP_0F38, 0x72, 1, to.as(512), null, from);
  }

  /** A quarter as many bytes, what is too large becomes the largest; zmm alone. */
  public void vpmovsdb(Mem to, Vec from) {
    evexOnly(from);
    vector(PF3, MAP_0F38, 0x21, 4, from, null, to);
  }

  /** A quarter as many bytes, of each i32 the lowest; zmm alone. */
  public void vpmovdb(Mem to, Vec from) {
    evexOnly(from);
    vector(PF3, MAP_0F38, 0x31, 4, from, null, to);
  }

  /** The lower two f32 of a register; xmm alone. */
  public void vmovlps(Mem to, Vec from) {
    vector(NONE, MAP_0F, 0x13, 1, from.as(128), null, to);
  }

  /** Half as many bytes, of each i32 the lower half; zmm alone. */
  public void vpmovdw(Mem to, Vec from) {
    evexOnly(from);
    vector(PF3, MAP_0F38, 0x33, 2, from, null, to);
  }

  /** An i32 from {@code base + index + offset} for each lane of the mask, which it clears. */
  public void vpgatherdd(Vec to, Gpr base, Vec index, int offset) {
    evexOnly(to);
    if (to.mask() == null || to.zeroing()) throw new IllegalArgumentException("not of " + to);
    int high = index.number() >> 3 & 1;
    evex(P66, MAP_0F38, to, index.number() & 16, high, base.ordinal() >> 3, false);
    put(0x90);
    indexed(to, base, index, offset);
  }

  /** The same with a mask of signs, which it clears; ymm alone. All three registers must differ. */
  public void vpgatherdd(Vec to, Gpr base, Vec index, int offset, Vec mask) {
    vexOnly(to);
    vex(
        P66,
        MAP_0F38,
        to.number(),
        mask.number(),
        index.number() >> 3,
        base.ordinal() >> 3,
        to.bits());
    put(0x90);
    indexed(to, base, index, offset);
  }

  /** Always with an offset of 32 bits, and an index. */
  private void indexed(Vec to, Gpr base, Vec index, int offset) {
    put(2 << 6 | (to.number() & 7) << 3 | Gpr.RSP.ordinal());
    put((index.number() & 7) << 3 | base.ordinal() & 7);
    put32(offset);
  }

  private static Operand narrower(Operand from, int bits) {
    return from instanceof Vec vec ? new Vec(vec.number(), Math.max(128, bits)) : from;
  }

  // Vectors: whole numbers.

  /** On zmm registers the processor calls it vpxord. */
  public void vpxor(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0xEF, 1, to, a, b);
  }

  /** On zmm registers the processor calls it vpandd. */
  public void vpand(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0xDB, 1, to, a, b);
  }

  /** On zmm registers the processor calls it vpord. */
  public void vpor(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0xEB, 1, to, a, b);
  }

  /**
   * Any function of three bits; zmm alone.
   *
   * @param table bit 4 · to + 2 · a + b is the function of those three
   */
  public void vpternlogd(Vec to, Vec a, Operand b, int table) {
    evexOnly(to);
    vector(P66, MAP_0F3A, 0x25, 1, to, a, b, table);
  }

  public void vpaddd(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0xFE, 1, to, a, b);
  }

  /** Ones where both are equal, else zeros; xmm and ymm alone. */
  public void vpcmpeqd(Vec to, Vec a, Operand b) {
    vexOnly(to);
    vector(P66, MAP_0F, 0x76, 1, to, a, b);
  }

  /** The larger of each; they have no signs. */
  public void vpmaxud(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F38, 0x3F, 1, to, a, b);
  }

  /** The larger of each; they have signs. */
  public void vpmaxsd(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F38, 0x3D, 1, to, a, b);
  }

  public void vpsubd(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0xFA, 1, to, a, b);
  }

  /** Shifts each i32. */
  public void vpslld(Vec to, Vec from, int by) {
    shift(6, to, from, by);
  }

  /** Shifts each i32 without its sign. */
  public void vpsrld(Vec to, Vec from, int by) {
    shift(2, to, from, by);
  }

  private void shift(int operation, Vec to, Vec from, int by) {
    shift(0x72, operation, to, from, by);
  }

  private void shift(int opcode, int operation, Vec to, Vec from, int by) {
    vector(P66, MAP_0F, opcode, 1, new Vec(operation, to.bits()), to, from, by);
  }

  public void vpaddb(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0xFC, 1, to, a, b);
  }

  public void vpaddw(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0xFD, 1, to, a, b);
  }

  /** {@code ~a & b}; on zmm registers the processor calls it vpandnd. */
  public void vpandn(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0xDF, 1, to, a, b);
  }

  /** Shifts each i16 without its sign. */
  public void vpsrlw(Vec to, Vec from, int by) {
    shift(0x71, 2, to, from, by);
  }

  /** Of each 128 bits, i32 to i16: four of a, then four of b; what is too large becomes most. */
  public void vpackssdw(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0x6B, 1, to, a, b);
  }

  /** Of each 128 bits, i16 to i8: eight of a, then eight of b; what is too large becomes most. */
  public void vpacksswb(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0x63, 1, to, a, b);
  }

  /** Of each 128 bits, i32 to u16: four of a, then four of b. */
  public void vpackusdw(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F38, 0x2B, 1, to, a, b);
  }

  /** Of each 128 bits, i16 to u8: eight of a, then eight of b. */
  public void vpackuswb(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0x67, 1, to, a, b);
  }

  /** {@code Σ a · b} over two i16 for each i32. */
  public void vpmaddwd(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F, 0xF5, 1, to, a, b);
  }

  /** {@code Σ a · b} over two bytes for each i16, those of a unsigned; too large becomes most. */
  public void vpmaddubsw(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F38, 0x04, 1, to, a, b);
  }

  /** {@code to += Σ a · b} over four bytes for each i32; those of a are unsigned. */
  public void vpdpbusd(Vec to, Vec a, Operand b) {
    vector(P66, MAP_0F38, 0x50, 1, to, a, b);
  }

  /** {@code to += Σ a · b} over two bf16 for each f32; zmm alone. */
  public void vdpbf16ps(Vec to, Vec a, Operand b) {
    evexOnly(to);
    vector(PF3, MAP_0F38, 0x52, 1, to, a, b);
  }

  // Tiles: eight registers of 16 rows by 64 bytes.

  /** The rows and bytes of each tile are from now on those that 64 bytes in memory say. */
  public void ldtilecfg(Mem from) {
    tile(NONE, 0x49, 0, from);
  }

  /** Without tiles a thread is interrupted and goes on as cheaply as before. */
  public void tilerelease() {
    put(0xC4, 0xE2, 0x78, 0x49, 0xC0);
  }

  /** Rows at {@code base + index · scale + offset} and on, each so many bytes after the last. */
  public void tileloadd(Tile to, Mem from) {
    tile(PF2, 0x4B, to.number(), strided(from));
  }

  public void tilestored(Mem to, Tile from) {
    tile(PF3, 0x4B, from.number(), strided(to));
  }

  public void tilezero(Tile tile) {
    vex(PF2, MAP_0F38, tile.number(), 0, 0, 0, 128);
    put(0x49);
    registers(tile.number(), 0);
  }

  /** {@code to += a · b} over bytes, four of each row of a; all have signs. */
  public void tdpbssd(Tile to, Tile a, Tile b) {
    tiles(PF2, 0x5E, to, a, b);
  }

  /** The same; bytes of b have no signs. */
  public void tdpbsud(Tile to, Tile a, Tile b) {
    tiles(PF3, 0x5E, to, a, b);
  }

  /** The same over bf16, two of each row of a; even ones and odd ones have a sum each first. */
  public void tdpbf16ps(Tile to, Tile a, Tile b) {
    tiles(PF3, 0x5C, to, a, b);
  }

  private static Mem strided(Mem mem) {
    if (mem.index() == null) throw new IllegalArgumentException("a tile needs an index");
    return mem;
  }

  private void tile(int prefix, int opcode, int reg, Mem mem) {
    vex(prefix, MAP_0F38, reg, 0, high(mem.index()), high(mem.base()), 128);
    put(opcode);
    memory(reg, mem, 1);
  }

  private void tiles(int prefix, int opcode, Tile to, Tile a, Tile b) {
    vex(prefix, MAP_0F38, to.number(), b.number(), 0, 0, 128);
    put(opcode);
    registers(to.number(), a.number());
  }

  // Encoding. A register's number has up to five bits: three in the instruction, the others, as
  // their complement, in the prefix.

  private static void evexOnly(Vec register) {
    if (register.bits() != 512) throw new IllegalArgumentException("not of " + register);
  }

  private static void vexOnly(Vec register) {
    if (register.bits() == 512) throw new IllegalArgumentException("not of " + register);
  }

  /**
   * An instruction of vectors.
   *
   * @param part a memory operand has the bytes of the register over this; 0 for a single f32
   * @param second null for none
   */
  private void vector(int prefix, int map, int opcode, int part, Vec reg, Vec second, Operand rm) {
    boolean evex = reg.bits() == 512 || rm instanceof Vec vec && vec.bits() == 512;
    int middle = second == null ? 0 : second.number();
    boolean alike = second == null || second.bits() == reg.bits();
    if (!alike || part == 1 && rm instanceof Vec vec && vec.bits() != reg.bits()) {
      throw new IllegalArgumentException("%s, %s, %s".formatted(reg, second, rm));
    }
    switch (rm) {
      case Vec vec -> {
        if (evex)
          evex(
              prefix,
              map,
              masked(reg, second),
              middle,
              vec.number() >> 4,
              vec.number() >> 3 & 1,
              false);
        else vex(prefix, map, reg.number(), middle, 0, vec.number() >> 3, reg.bits());
        put(opcode);
        registers(reg.number(), vec.number());
      }
      case Mem mem -> {
        if (mem.broadcast() && !evex) throw new IllegalArgumentException("broadcast to " + reg);
        int high = high(mem.base());
        if (evex)
          evex(prefix, map, masked(reg, second), middle, high(mem.index()), high, mem.broadcast());
        else vex(prefix, map, reg.number(), middle, high(mem.index()), high, reg.bits());
        put(opcode);
        // EVEX counts a short offset in whole operands.
        int unit = !evex ? 1 : mem.broadcast() || part == 0 ? 4 : reg.bytes() / part;
        memory(reg.number(), mem, unit);
      }
    }
  }

  /** The same with a number that follows the operands. */
  private void vector(
      int prefix, int map, int opcode, int part, Vec reg, Vec second, Operand rm, int number) {
    following = 1;
    vector(prefix, map, opcode, part, reg, second, rm);
    following = 0;
    put(number);
  }

  /** Shifts have their result in the middle, and its mask with it. */
  private static Vec masked(Vec reg, Vec second) {
    if (reg.mask() != null || second == null || second.mask() == null) return reg;
    return new Vec(reg.number(), 512, second.mask(), second.zeroing());
  }

  private void vex(int prefix, int map, int reg, int second, int index, int rm, int bits) {
    put(0xC4);
    put(not(reg >> 3, 7) | not(index, 6) | not(rm, 5) | map & 31);
    put((map & VEX_W1) >> 2 | (~second & 15) << 3 | (bits == 256 ? 1 << 2 : 0) | prefix);
  }

  private void evex(
      int prefix, int map, Vec reg, int second, int index, int rm, boolean broadcast) {
    int number = reg.number();
    put(0x62);
    put(not(number >> 3 & 1, 7) | not(index, 6) | not(rm, 5) | not(number >> 4, 4) | map & 7);
    put((map & W1) >> 1 | (~second & 15) << 3 | 1 << 2 | prefix);
    int mask = reg.mask() == null ? 0 : reg.mask().number();
    int zeroing = reg.zeroing() ? 1 << 7 : 0;
    put(zeroing | 2 << 5 | (broadcast ? 1 << 4 : 0) | not(second >> 4, 3) | mask);
  }

  private static int not(int bit, int at) {
    return (bit ^ 1) << at;
  }

  private static int number(Gpr registerOrNull) {
    return registerOrNull == null ? 0 : registerOrNull.ordinal();
  }

  private static int high(Gpr registerOrNull) {
    return number(registerOrNull) >> 3;
  }

  private void general(boolean wide, int opcode, Gpr reg, Gpr rm) {
    if (wide) wide(reg.ordinal(), 0, rm.ordinal());
    else narrow(reg.ordinal(), 0, rm.ordinal());
    put(opcode);
    registers(reg.ordinal(), rm.ordinal());
  }

  private void general(boolean wide, int opcode, Gpr reg, Mem rm) {
    if (wide) wide(reg.ordinal(), high(rm.index()), number(rm.base()));
    else narrow(reg.ordinal(), high(rm.index()), number(rm.base()));
    put(opcode);
    memory(reg.ordinal(), rm, 1);
  }

  /** The prefix of 64-bit registers, and of those from the eighth on. */
  private void wide(int reg, int indexHigh, int rm) {
    put(0x48 | reg >> 3 << 2 | indexHigh << 1 | rm >> 3);
  }

  /** The prefix of the upper registers alone. */
  private void narrow(int reg, int indexHigh, int rm) {
    int high = reg >> 3 << 2 | indexHigh << 1 | rm >> 3;
    if (high != 0) put(0x40 | high);
  }

  private void immediate(int operation, Gpr to, int number) {
    wide(0, 0, to.ordinal());
    boolean small = number == (byte) number;
    put(small ? 0x83 : 0x81);
    registers(operation, to.ordinal());
    if (small) put(number);
    else put32(number);
  }

  private void registers(int reg, int rm) {
    put(0xC0 | (reg & 7) << 3 | rm & 7);
  }

  /**
   * An operand in memory.
   *
   * @param unit what a short offset is counted in
   */
  private void memory(int reg, Mem place, int unit) {
    if (place.constant() != null) {
      // The code of RBP without an offset: so far from the next instruction.
      put((reg & 7) << 3 | Gpr.RBP.ordinal());
      references.add(new Reference(length, length + 4 + following, place.constant()));
      put32(0);
      return;
    }
    int base = place.base().ordinal() & 7;
    int offset = place.offset();
    boolean near = offset % unit == 0 && offset / unit == (byte) (offset / unit);
    // Without an offset, the code of RBP and R13 means something else.
    int mode = offset == 0 && base != Gpr.RBP.ordinal() ? 0 : near ? 1 : 2;
    // The code of RSP means that one more byte follows, which has the index.
    boolean more = place.index() != null || base == Gpr.RSP.ordinal();
    put(mode << 6 | (reg & 7) << 3 | (more ? Gpr.RSP.ordinal() : base));
    if (more) {
      int index = place.index() == null ? Gpr.RSP.ordinal() : place.index().ordinal() & 7;
      put(Integer.numberOfTrailingZeros(place.scale()) << 6 | index << 3 | base);
    }
    if (mode == 1) put(offset / unit);
    if (mode == 2) put32(offset);
  }

  private void put32(int number) {
    put(number);
    put(number >> 8);
    put(number >> 16);
    put(number >> 24);
  }

  private void put32(int at, int number) {
    for (int i = 0; i < 4; i++) code[at + i] = (byte) (number >> 8 * i);
  }

  private void put(int... bytes) {
    for (int each : bytes) put(each);
  }

  /** Tens of thousands at each start: without an array for each. */
  private void put(int each) {
    if (length == code.length) code = Arrays.copyOf(code, 2 * code.length);
    code[length++] = (byte) each;
  }
}
