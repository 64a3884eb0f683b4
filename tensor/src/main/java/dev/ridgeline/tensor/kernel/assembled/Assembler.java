package dev.ridgeline.tensor.kernel.assembled;

import java.util.Arrays;

/**
 * Turns instructions into bytes, one method each, named as the processor's manual names them and
 * with the result first.
 *
 * <p>Vector instructions are encoded by the width of their registers: VEX for ymm, EVEX for zmm.
 * Only what our code needs is here; a test compares every method with a disassembler.
 */
public final class Assembler {
  /** Bits of the prefixes: which mandatory prefix and which table of opcodes. */
  private static final int NONE = 0;

  private static final int P66 = 1;
  private static final int PF3 = 2;
  private static final int MAP_0F = 1;
  private static final int MAP_0F38 = 2;

  private byte[] code = new byte[256];
  private int length;

  /** What was assembled so far. */
  public byte[] code() {
    return Arrays.copyOf(code, length);
  }

  /** Where the next instruction will be: a place to jump back to. */
  public int here() {
    return length;
  }

  // General registers; 64 bits unless the name says otherwise.

  public void mov(Gpr to, Gpr from) {
    wide(from.ordinal(), to.ordinal());
    put(0x89);
    registers(from.ordinal(), to.ordinal());
  }

  public void mov32(Gpr to, Gpr from) {
    narrow(from.ordinal(), to.ordinal());
    put(0x89);
    registers(from.ordinal(), to.ordinal());
  }

  /** Stores the lower half of a register. */
  public void store32(Gpr base, int offset, Gpr from) {
    narrow(from.ordinal(), base.ordinal());
    put(0x89);
    memory(from.ordinal(), base, offset, 1);
  }

  public void add(Gpr to, int number) {
    immediate(0, to, number);
  }

  public void sub(Gpr to, int number) {
    immediate(5, to, number);
  }

  public void dec(Gpr register) {
    wide(0, register.ordinal());
    put(0xFF);
    registers(1, register.ordinal());
  }

  public void or(Gpr to, Gpr from) {
    wide(from.ordinal(), to.ordinal());
    put(0x09);
    registers(from.ordinal(), to.ordinal());
  }

  public void xor32(Gpr to, Gpr from) {
    narrow(from.ordinal(), to.ordinal());
    put(0x31);
    registers(from.ordinal(), to.ordinal());
  }

  public void shl(Gpr register, int by) {
    wide(0, register.ordinal());
    put(0xC1);
    registers(4, register.ordinal());
    put(by);
  }

  public void push(Gpr register) {
    narrow(0, register.ordinal());
    put(0x50 | register.ordinal() & 7);
  }

  public void pop(Gpr register) {
    narrow(0, register.ordinal());
    put(0x58 | register.ordinal() & 7);
  }

  /** Jumps back if the last result was not zero. */
  public void jnz(int place) {
    put(0x0F, 0x85);
    put32(place - (length + 4));
  }

  public void ret() {
    put(0xC3);
  }

  public void cpuid() {
    put(0x0F, 0xA2);
  }

  public void xgetbv() {
    put(0x0F, 0x01, 0xD0);
  }

  /** Waits until streamed stores have left for memory. */
  public void sfence() {
    put(0x0F, 0xAE, 0xF8);
  }

  // Vector registers.

  /** Before code that knows nothing of wide registers goes on: it would be slow otherwise. */
  public void vzeroupper() {
    put(0xC5, 0xF8, 0x77);
  }

  /** On zmm registers the processor calls it vpxord. */
  public void vpxor(Vec to, Vec a, Vec b) {
    vector(P66, MAP_0F, 0xEF, to, a, b);
  }

  /** {@code to += a · b} in f32. */
  public void vfmadd231ps(Vec to, Vec a, Vec b) {
    vector(P66, MAP_0F38, 0xB8, to, a, b);
  }

  /** {@code to += Σ a · b} over four bytes for each i32; those of a are unsigned. */
  public void vpdpbusd(Vec to, Vec a, Vec b) {
    vector(P66, MAP_0F38, 0x50, to, a, b);
  }

  /** {@code to += Σ a · b} over two bf16 for each f32; zmm alone. */
  public void vdpbf16ps(Vec to, Vec a, Vec b) {
    if (to.bits() != 512) throw new IllegalArgumentException("vdpbf16ps of " + to);
    vector(PF3, MAP_0F38, 0x52, to, a, b);
  }

  public void vmovups(Vec to, Gpr base, int offset) {
    vector(NONE, MAP_0F, 0x10, to, base, offset);
  }

  public void vmovups(Gpr base, int offset, Vec from) {
    vector(NONE, MAP_0F, 0x11, from, base, offset);
  }

  /** Stores past the caches; the address must be a multiple of the vector's bytes. */
  public void vmovntps(Gpr base, int offset, Vec from) {
    vector(NONE, MAP_0F, 0x2B, from, base, offset);
  }

  // Encoding. A register's number has up to five bits: three in the instruction, the others, as
  // their complement, in the prefix.

  private void vector(int prefix, int map, int opcode, Vec to, Vec a, Vec b) {
    if (to.bits() != a.bits() || to.bits() != b.bits()) {
      throw new IllegalArgumentException("%s, %s, %s".formatted(to, a, b));
    }
    int reg = to.number();
    int rm = b.number();
    if (to.bits() == 512) evex(prefix, map, reg, a.number(), rm >> 3 & 1, rm >> 4);
    else vex(prefix, map, reg, a.number(), rm >> 3);
    put(opcode);
    registers(reg, rm);
  }

  private void vector(int prefix, int map, int opcode, Vec register, Gpr base, int offset) {
    int reg = register.number();
    int high = base.ordinal() >> 3;
    boolean wide = register.bits() == 512;
    if (wide) evex(prefix, map, reg, 0, high, 0);
    else vex(prefix, map, reg, 0, high);
    put(opcode);
    // EVEX counts a short offset in whole vectors.
    memory(reg, base, offset, wide ? register.bytes() : 1);
  }

  private void vex(int prefix, int map, int reg, int second, int rmHigh) {
    put(0xC4);
    put(not(reg >> 3, 7) | not(0, 6) | not(rmHigh, 5) | map);
    put((~second & 15) << 3 | 1 << 2 | prefix);
  }

  private void evex(int prefix, int map, int reg, int second, int rmHigh, int rmHighest) {
    put(0x62);
    put(not(reg >> 3 & 1, 7) | not(rmHighest, 6) | not(rmHigh, 5) | not(reg >> 4, 4) | map);
    put((~second & 15) << 3 | 1 << 2 | prefix);
    put(2 << 5 | not(second >> 4, 3));
  }

  private static int not(int bit, int at) {
    return (bit ^ 1) << at;
  }

  /** The prefix of 64-bit registers, and of those from the eighth on. */
  private void wide(int reg, int rm) {
    put(0x48 | reg >> 3 << 2 | rm >> 3);
  }

  /** The prefix of the upper registers alone. */
  private void narrow(int reg, int rm) {
    int high = reg >> 3 << 2 | rm >> 3;
    if (high != 0) put(0x40 | high);
  }

  private void immediate(int operation, Gpr to, int number) {
    wide(0, to.ordinal());
    put(0x81);
    registers(operation, to.ordinal());
    put32(number);
  }

  private void registers(int reg, int rm) {
    put(0xC0 | (reg & 7) << 3 | rm & 7);
  }

  /**
   * An operand in memory.
   *
   * @param unit what a short offset is counted in
   */
  private void memory(int reg, Gpr base, int offset, int unit) {
    int rm = base.ordinal() & 7;
    boolean near = offset % unit == 0 && offset / unit == (byte) (offset / unit);
    // Without an offset, the code of RBP and R13 means something else.
    int mode = offset == 0 && rm != Gpr.RBP.ordinal() ? 0 : near ? 1 : 2;
    put(mode << 6 | (reg & 7) << 3 | rm);
    if (rm == Gpr.RSP.ordinal()) put(0x24); // its code means that one more byte follows
    if (mode == 1) put(offset / unit);
    if (mode == 2) put32(offset);
  }

  private void put32(int number) {
    put(number, number >> 8, number >> 16, number >> 24);
  }

  private void put(int... bytes) {
    if (length + bytes.length > code.length) code = Arrays.copyOf(code, 2 * code.length);
    for (int each : bytes) code[length++] = (byte) each;
  }
}
