package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R12;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R13;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

import dev.ridgeline.tensor.Pairing;

/**
 * Emits what turns pairs of numbers of each head by the angle of the row's position.
 *
 * <p>{@code void f(x, stride, rows, heads, headBytes, half, angles, positions, table)}, all of them
 * longs: {@code half} pairs turn; angles of a position are so many cosines, then so many sines. The
 * {@link #table} is for pairs of neighbours alone.
 */
final class Rotation implements Emitter {
  private static final int SAVED = 4 * 8;
  private static final int ARGUMENTS = SAVED + 8;

  private static final Gpr X = RDI;
  private static final Gpr STRIDE = RSI;
  private static final Gpr ROWS = RDX;
  private static final Gpr HEADS = R12;
  private static final Gpr HEAD_BYTES = R8;
  private static final Gpr HALF = R9;
  private static final Gpr COSINES = R10;
  private static final Gpr SINES = R11;
  private static final Gpr AT = RBX;
  private static final Gpr LEFT = R13;

  private static final Vec A = new Vec(0, 512);
  private static final Vec B = new Vec(1, 512);
  private static final Vec COS = new Vec(2, 512);
  private static final Vec SIN = new Vec(3, 512);
  private static final Vec C = new Vec(4, 512);
  private static final Vec ORDER = new Vec(5, 512);
  private static final Vec SIGNS = new Vec(6, 512);

  private static final Mask PAIRS = new Mask(1);
  private static final Mask NUMBERS = new Mask(2);

  private final boolean neighbours;
  private final Assembler code = new Assembler();

  Rotation(Pairing pairing) {
    this.neighbours = pairing != Pairing.HALVES;
  }

  /** How numbers for pairs are told to both of a pair, then the signs of what is swapped. */
  static int[] table() {
    int[] table = new int[32];
    for (int i = 0; i < 16; i++) {
      table[i] = i / 2;
      table[16 + i] = i % 2 == 0 ? 0x8000_0000 : 0;
    }
    return table;
  }

  @Override
  public byte[] emit() {
    for (Gpr each : new Gpr[] {RBX, R12, R13, RCX}) code.push(each);
    if (neighbours) {
      code.load(RAX, Mem.at(RSP, ARGUMENTS + 16));
      code.vmovups(ORDER, Mem.at(RAX));
      code.vmovups(SIGNS, Mem.at(RAX, 64));
    }
    Label row = code.here();
    code.load(RAX, Mem.at(RSP, ARGUMENTS + 8));
    code.load32(COSINES, Mem.at(RAX));
    code.add(RAX, 4);
    code.store(Mem.at(RSP, ARGUMENTS + 8), RAX);
    // A position has 8 bytes for each pair.
    code.imulBy(COSINES, HALF);
    code.shl(COSINES, 3);
    code.load(RAX, Mem.at(RSP, ARGUMENTS));
    code.add(COSINES, RAX);
    code.load(HEADS, Mem.at(RSP));
    code.mov(AT, X);
    Label head = code.here();
    head();
    code.add(AT, HEAD_BYTES);
    code.dec(HEADS);
    code.jnz(head);
    code.add(X, STRIDE);
    code.dec(ROWS);
    code.jnz(row);
    for (Gpr each : new Gpr[] {RCX, R13, R12, RBX}) code.pop(each);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  /** Pairs of a head, a vector of them at a time; the places go on and come back. */
  private void head() {
    int lanes = neighbours ? 8 : 16;
    code.lea(SINES, Mem.at(COSINES, HALF, 4, 0));
    code.mov(LEFT, HALF);
    Label turn = code.here();
    Label whole = new Label();
    code.mov32(RAX, lanes);
    code.cmp(LEFT, lanes);
    code.jge(whole);
    code.mov(RAX, LEFT);
    code.bind(whole);
    code.mov(RCX, RAX);
    Snippets.mask(code, PAIRS, RCX);
    if (neighbours) {
      code.add(RCX, RCX);
      Snippets.mask(code, NUMBERS, RCX);
      neighbours();
    } else {
      halves();
    }
    code.add(AT, 64);
    code.add(COSINES, 4 * lanes);
    code.add(SINES, 4 * lanes);
    code.sub(LEFT, lanes);
    code.jg(turn);
    // Back by as many vectors as there were.
    code.mov(RAX, HALF);
    code.add(RAX, lanes - 1);
    code.shr(RAX, neighbours ? 3 : 4);
    code.shl(RAX, 6);
    code.sub(AT, RAX);
    if (neighbours) code.shr(RAX, 1);
    code.sub(COSINES, RAX);
  }

  private void halves() {
    Mem first = Mem.at(AT);
    Mem second = Mem.at(AT, HALF, 4, 0);
    code.vmovups(A.zeroing(PAIRS), first);
    code.vmovups(B.zeroing(PAIRS), second);
    code.vmovups(COS.zeroing(PAIRS), Mem.at(COSINES));
    code.vmovups(SIN.zeroing(PAIRS), Mem.at(SINES));
    code.vmulps(C, B, SIN);
    code.vmulps(B, B, COS);
    code.vfmadd231ps(B, A, SIN);
    code.vfmsub213ps(A, COS, C);
    code.vmovups(first, A.merging(PAIRS));
    code.vmovups(second, B.merging(PAIRS));
  }

  private void neighbours() {
    code.vmovups(A.zeroing(NUMBERS), Mem.at(AT));
    code.vmovups(COS.zeroing(PAIRS), Mem.at(COSINES));
    code.vmovups(SIN.zeroing(PAIRS), Mem.at(SINES));
    code.vpermps(COS, ORDER, COS);
    code.vpermps(SIN, ORDER, SIN);
    code.vpermilps(B, A, 0xB1);
    code.vmulps(B, B, SIN);
    code.vpxor(B, B, SIGNS);
    code.vfmadd213ps(A, COS, B);
    code.vmovups(Mem.at(AT), A.merging(NUMBERS));
  }
}
