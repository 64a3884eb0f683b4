package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R12;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R13;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R14;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R15;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

import dev.ridgeline.tensor.kernel.assembled.RowFormat.Steps;

/**
 * Emits what turns rows of f32 into bytes for an {@link IntegerProduct}.
 *
 * <p>{@code void f(x, xStride, quants, stride, rows, blocks, rest, restStride)}, all of them longs.
 * A block has its largest magnitude over 127 as its scale, and the row has 1. Or else, {@link
 * Steps#BY_HALVES}, a row's scale is its largest magnitude over 127; a block whose own largest is
 * at most a half, a quarter … of that has its numbers doubled as often, and the power of two by
 * which sums with them are too large, as it is added to the bits of a number. Numbers that are
 * infinite or NaN make a scale that is no number either, and so are all sums with it; their bytes
 * are −128, and the same in every tier.
 *
 * <p>What bytes cannot say is left at {@code rest}, where that is asked for.
 *
 * <p>What has to be folded across a vector, magnitudes and sums, waits in memory until there are as
 * many blocks of it as a vector has lanes, which then are folded at once. A row may be followed by
 * a vector that becomes anything: the next row, or room for it.
 */
final class RowQuantizer extends RowEmitter {
  /** A block of nothing but zeros, or nearly: no infinity comes of it. */
  private static final float TINY = 1e-30f;

  /** The highest power: a scale of weights divided by it is still a normal number. */
  private static final float HIGHEST = 0x1p60f;

  private static final Gpr[] SAVED = {RBX, R12, R13, R14, R15};

  /** Vectors on the stack: those that wait, then the inverses and steps of blocks, constants. */
  private enum Local {
    INVERSES,
    STEPS,
    MAGNITUDE,
    LARGEST,
    LEAST,
    OVER_127,
    EXPONENT,
    ONE,
    MOST_POWER,
    LEAST_BYTE,
    ORDER,
    /** As many lanes of ones, then as many of zeros. */
    LANES,
    ZEROS
  }

  private static final Gpr X = RDI;
  private static final Gpr X_STRIDE = RSI;
  private static final Gpr QUANTS = RDX;
  private static final Gpr STRIDE = R12;
  private static final Gpr ROWS = R8;
  private static final Gpr BLOCK_COUNT = R9;
  private static final Gpr AT_SUMS = R10;
  private static final Gpr AT_STEPS = R11;
  private static final Gpr LEFT = RBX;

  /** Blocks of this group, and the vector of the one that is worked on. */
  private static final Gpr THERE = R13;

  private static final Gpr AT = R14;
  private static final Gpr AT_REST = R15;

  private static final Mask MASK = new Mask(1);

  private final RowFormat format;
  private final int lanes = registers.lanes();
  private final int block;
  private final boolean rest;

  private final Vec zero = registers.vec(0);

  // Of the row.

  private final Vec mostOfRow = registers.vec(5);
  private final Vec scaleOfRow = registers.vec(6);
  private final Vec inverseOfRow = registers.vec(7);

  // What folding may use, too.

  private final Vec inverse = registers.vec(8);
  private final Vec step = registers.vec(9);
  private final Vec other = registers.vec(10);

  /**
   * @param bits of a register; words are for those of 256
   * @param rest whether what bytes cannot say is left
   */
  RowQuantizer(RowFormat format, int bits, boolean rest) {
    super(bits);
    if (format.words() && bits != 256 || format.zero() == 0 && format.steps() == Steps.BY_HALVES) {
      throw new IllegalArgumentException(format.word());
    }
    this.format = format;
    this.block = format.block();
    this.rest = rest;
  }

  /** One of up to four vectors of a block. */
  private Vec number(int i) {
    return registers.vec(1 + i);
  }

  private Mem waiting(int i) {
    return Mem.at(RSP, i * registers.bytes());
  }

  private Mem local(Local which) {
    return Mem.at(RSP, (lanes + which.ordinal()) * registers.bytes());
  }

  private int locals() {
    return (lanes + Local.values().length) * registers.bytes();
  }

  private Mem argument(int number) {
    return Mem.at(RSP, locals() + 8 * SAVED.length + 8 + 8 * (number - 6));
  }

  @Override
  public byte[] emit() {
    Snippets.enter(code, SAVED);
    code.sub(RSP, locals());
    code.mov(STRIDE, RCX);
    code.vpxor(zero, zero, zero);
    constant(Local.MAGNITUDE, 0x7FFF_FFFF);
    constant(Local.EXPONENT, 0x7F80_0000);
    constant(Local.LARGEST, 127f);
    constant(Local.LEAST, TINY);
    constant(Local.OVER_127, 1f / 127);
    constant(Local.ONE, 1f);
    constant(Local.MOST_POWER, HIGHEST);
    constant(Local.LEAST_BYTE, Byte.MIN_VALUE);
    if (!registers.wide()) {
      order();
      constant(Local.LANES, -1);
      constant(Local.ZEROS, 0);
    }
    if (rest) code.load(AT_REST, argument(6));
    clear();
    Label row = code.here();
    if (format.steps() == Steps.BY_HALVES) byHalves();
    else byBlock();
    nextRow();
    code.dec(ROWS);
    code.jnz(row);
    code.add(RSP, locals());
    Snippets.leave(code, SAVED);
    return code.code();
  }

  private void constant(Local which, float value) {
    constant(which, Float.floatToRawIntBits(value));
  }

  private void constant(Local which, int value) {
    Snippets.bits(code, number(0), value);
    code.vmovups(local(which), number(0));
  }

  /** How packed bytes come into their order, or words into theirs. */
  private void order() {
    for (int i = 0; i < lanes; i++) {
      // Of 16 bytes: words 0, 2, 1, 3 of each four.
      int words = i % 2 == 0 ? 0x0504_0100 : 0x0706_0302;
      int value = format.words() ? words + 0x0808_0808 * (i / 2 % 2) : i / 2 + i % 2 * 4;
      code.mov32(RAX, value);
      code.store32(local(Local.ORDER).plus(4 * i), RAX);
    }
  }

  private void nextRow() {
    back(X, 4 * block);
    code.add(X, X_STRIDE);
    back(QUANTS, block * format.numberBytes());
    code.add(QUANTS, STRIDE);
    if (!rest) return;
    back(AT_REST, 4 * block);
    code.load(RAX, argument(7));
    code.add(AT_REST, RAX);
  }

  /** From the end of a row to its begin. */
  private void back(Gpr at, int bytesOfBlock) {
    code.imul(RAX, BLOCK_COUNT, bytesOfBlock);
    code.sub(at, RAX);
  }

  /** Where sums and steps of the row are, with QUANTS at its begin; RAX has the bytes of either. */
  private void places() {
    code.mov(RAX, BLOCK_COUNT);
    Snippets.behindBytes(code, AT_SUMS, AT_STEPS, QUANTS, format.blockShift());
  }

  /** A row in groups of blocks. */
  private void groups(Runnable each) {
    places();
    code.mov(LEFT, BLOCK_COUNT);
    Label group = code.here();
    there();
    each.run();
    code.add(AT_STEPS, 4 * lanes);
    code.add(AT_SUMS, 4 * lanes);
    code.sub(LEFT, lanes);
    code.jg(group);
  }

  private void clear() {
    for (int i = 0; i < lanes; i++) code.vmovups(waiting(i), zero);
  }

  /** How many blocks this group has; vectors of those that it has not are zero. */
  private void there() {
    Label done = new Label();
    code.mov32(THERE, lanes);
    code.cmp(LEFT, lanes);
    code.jge(done);
    code.mov(THERE, LEFT);
    // In rows of less than a group nobody ever wrote them.
    code.cmp(BLOCK_COUNT, lanes);
    code.jl(done);
    clear();
    code.bind(done);
    if (registers.wide()) Snippets.mask(code, MASK, THERE);
  }

  /** Blocks of a group, one after the other, each with a vector in memory. */
  private void blocks(Runnable each) {
    code.lea(AT, waiting(0));
    code.mov(RAX, THERE);
    Label turn = code.here();
    each.run();
    code.add(X, 4 * block);
    code.add(AT, registers.bytes());
    code.dec(RAX);
    code.jnz(turn);
  }

  private int vectors() {
    return block / lanes;
  }

  /** The largest magnitudes of a group's blocks. */
  private Vec largest() {
    blocks(
        () -> {
          code.vmovups(other, local(Local.MAGNITUDE));
          for (int i = 0; i < vectors(); i++) {
            code.vpand(number(i), other, Mem.at(X, i * registers.bytes()));
          }
          // Of bits: an infinity is larger than every number, and NaN larger than that.
          join(Assembler::vpmaxud);
          code.vmovups(Mem.at(AT), number(0));
        });
    return Snippets.fold(code, 32 * lanes, waiting(0), Assembler::vpmaxud);
  }

  /** All vectors of a block become the first. */
  private void join(Fold fold) {
    for (int left = vectors(); left > 1; left /= 2) {
      for (int i = 0; i < left / 2; i++) {
        fold.write(code, number(i), number(i), number(i + left / 2));
      }
    }
  }

  private void byBlock() {
    groups(
        () -> {
          Vec most = largest();
          code.imul(RAX, THERE, 4 * block);
          code.sub(X, RAX);
          code.vmulps(number(0), most, local(Local.OVER_127));
          code.vmovups(local(Local.STEPS), number(0));
          storeSteps(number(0));
          code.vmaxps(most, most, local(Local.LEAST));
          code.vmovups(number(0), local(Local.LARGEST));
          code.vdivps(most, number(0), most);
          code.vmovups(local(Local.INVERSES), most);
          quantize();
        });
    code.mov(RAX, BLOCK_COUNT);
    code.vmovups(scaleOfRow, local(Local.ONE));
    // QUANTS is at the end of the bytes by now, where the sums begin.
    code.vmovss(Mem.at(QUANTS, RAX, 8, 0), scaleOfRow.as(128));
  }

  /** What a last group has too many is anything, and overwritten after. */
  private void storeSteps(Vec steps) {
    code.vmovups(Mem.at(AT_STEPS), registers.wide() ? steps.merging(MASK) : steps);
  }

  private void byHalves() {
    measure();
    scale();
    groups(
        () -> {
          powers();
          quantize();
        });
    code.mov(RAX, BLOCK_COUNT);
    code.vmovss(Mem.at(QUANTS, RAX, 8, 0), scaleOfRow.as(128));
  }

  /** The largest magnitudes: of blocks, left where their scales will be, and of the row. */
  private void measure() {
    code.vpxor(mostOfRow, mostOfRow, mostOfRow);
    groups(
        () -> {
          Vec most = largest();
          storeSteps(most);
          code.vpmaxud(mostOfRow, mostOfRow, most);
        });
    back(X, 4 * block);
    Snippets.across(code, mostOfRow, other, Assembler::vpmaxud);
    code.vbroadcastss(mostOfRow, mostOfRow);
  }

  /** The row's scale. */
  private void scale() {
    code.vmulps(scaleOfRow, mostOfRow, local(Local.OVER_127));
    code.vmaxps(mostOfRow, mostOfRow, local(Local.LEAST));
    code.vmovups(inverseOfRow, local(Local.LARGEST));
    code.vdivps(inverseOfRow, inverseOfRow, mostOfRow);
  }

  /** How often each block's numbers are doubled, and what that makes of the row's scale. */
  private void powers() {
    Vec a = number(0);
    Vec b = number(1);
    code.vmovups(registers.wide() ? a.zeroing(MASK) : a, Mem.at(AT_STEPS));
    code.vmaxps(a, a, local(Local.LEAST));
    code.vdivps(a, mostOfRow, a);
    code.vminps(a, a, local(Local.MOST_POWER));
    code.vpand(a, a, local(Local.EXPONENT));
    // As they are added to the bits of a number that is to be divided.
    code.vmovups(b, local(Local.ONE));
    code.vpsubd(b, b, a);
    storeSteps(b);
    code.vmulps(a, a, inverseOfRow);
    code.vmovups(local(Local.INVERSES), a);
    if (!rest) return;
    code.vpaddd(b, b, local(Local.ONE));
    code.vmulps(b, b, scaleOfRow);
    code.vmovups(local(Local.STEPS), b);
  }

  private void quantize() {
    code.lea(RCX, local(Local.INVERSES));
    blocks(
        () -> {
          code.vbroadcastss(inverse, Mem.at(RCX));
          for (int i = 0; i < vectors(); i++) {
            code.vmulps(number(i), inverse, Mem.at(X, i * registers.bytes()));
            code.vcvtps2dq(number(i), number(i));
            // What is no number becomes far less than a byte can be, and sums must be those of
            // bytes.
            code.vpmaxsd(number(i), number(i), local(Local.LEAST_BYTE));
          }
          if (rest) rest();
          store();
          join(Assembler::vpaddd);
          code.vmovups(Mem.at(AT), number(0));
          code.add(QUANTS, block * format.numberBytes());
          code.add(RCX, 4);
        });
    sums(Snippets.fold(code, 32 * lanes, waiting(0), Assembler::vpaddd));
  }

  private void store() {
    if (registers.wide()) {
      for (int i = 0; i < vectors(); i++) code.vpmovsdb(Mem.at(QUANTS, i * lanes), number(i));
    } else if (format.words()) {
      for (int i = 0; i < vectors(); i += 2) {
        code.vpackssdw(other, number(i), number(i + 1));
        code.vpermq(other, other, 0xD8);
        code.vpshufb(other, other, local(Local.ORDER));
        code.vmovups(Mem.at(QUANTS, i * registers.bytes() / 2), other);
      }
    } else {
      Vec order = step;
      code.vpackssdw(other, number(0), number(1));
      if (vectors() == 4) code.vpackssdw(order, number(2), number(3));
      code.vpacksswb(other, other, vectors() == 4 ? order : other);
      code.vmovups(order, local(Local.ORDER));
      code.vpermd(other, order, other);
      code.vmovups(Mem.at(QUANTS), vectors() == 4 ? other : other.as(128));
    }
  }

  private void sums(Vec sums) {
    if (format.zero() == 0) {
      code.vcvtdq2ps(sums, sums);
      code.vmulps(sums, sums, local(Local.STEPS));
    } else {
      code.vpslld(sums, sums, Integer.numberOfTrailingZeros(format.zero()));
      code.vpsubd(sums, zero, sums);
    }
    if (registers.wide()) {
      code.vmovups(Mem.at(AT_SUMS), sums.merging(MASK));
      return;
    }
    // Steps follow the last sums and are there already.
    Label whole = new Label();
    Label end = new Label();
    code.cmp(THERE, lanes);
    code.jge(whole);
    code.lea(AT, local(Local.ZEROS));
    code.imul(RAX, THERE, 4);
    code.sub(AT, RAX);
    code.vmovups(other, Mem.at(AT));
    code.vmaskmovps(Mem.at(AT_SUMS), other, sums);
    code.jmp(end);
    code.bind(whole);
    code.vmovups(Mem.at(AT_SUMS), sums);
    code.bind(end);
  }

  /** {@code x − bytes · step}. */
  private void rest() {
    code.vbroadcastss(step, Mem.at(RCX, registers.bytes()));
    for (int i = 0; i < vectors(); i++) {
      Vec left = inverse;
      code.vcvtdq2ps(other, number(i));
      code.vmovups(left, Mem.at(X, i * registers.bytes()));
      code.vfnmadd231ps(left, other, step);
      code.vmovups(Mem.at(AT_REST, i * registers.bytes()), left);
    }
    code.add(AT_REST, 4 * block);
  }
}
