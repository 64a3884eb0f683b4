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

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.Registers.Some;
import java.util.Locale;

/**
 * Emits what turns 32 rows into a panel of columns: weights as a file has them, millions of numbers
 * at each start, and keys that a product with queries reads like weights.
 *
 * <p>{@code void f(rows, stride, width, panel, scaleBits, count)}, all of them longs: the panel is
 * {@code [width][32]}, with room up to a multiple of 16; what the last columns of 16 have too many
 * is zero. There are {@code count} keys, 1 to 32; columns of those that are missing may have
 * anything. Of weights there are always 32 rows, and of halves {@code width} counts pairs.
 */
final class Transposer extends RowEmitter {
  /** What rows are of. */
  enum Kind {
    /** f32, which are scaled. */
    KEYS,
    /** Four bytes of anything. */
    WORDS,
    /** Pairs of numbers of 16 bits, which are parted. */
    HALVES;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int LINE = 4 * Kernels.PANEL;

  private static final Gpr[] SAVED = {RBX, R12, R13};

  private static final Gpr FROM = RDI;
  private static final Gpr STRIDE = RSI;
  private static final Gpr WIDTH = RDX;
  private static final Gpr SCALE = R8;
  private static final Gpr LEFT = R9;
  private static final Gpr AT = R10;
  private static final Gpr AT_TO = R11;
  private static final Gpr TO = RBX;
  private static final Gpr COLUMN = R12;
  private static final Gpr COUNT = R13;

  /** The columns of the last square; its register is free until all rows are there. */
  private static final Some SOME = Registers.some(1, 8);

  private final Kind kind;
  private final int lanes;

  /**
   * @param bits of registers
   */
  Transposer(Kind kind, int bits) {
    super(bits);
    this.kind = kind;
    lanes = registers.lanes();
  }

  @Override
  public byte[] emit() {
    Snippets.enter(code, SAVED);
    code.mov(TO, RCX);
    code.mov(COUNT, R9);
    Label block = code.here();
    Label some = new Label();
    Label end = new Label();
    if (kind == Kind.KEYS) {
      code.cmp(COUNT, lanes);
      code.jl(some);
    }
    block(true);
    code.imul(RAX, STRIDE, lanes);
    code.add(FROM, RAX);
    code.add(TO, (kind == Kind.HALVES ? 2 : 4) * lanes);
    code.sub(COUNT, lanes);
    code.jg(block);
    if (kind == Kind.KEYS) {
      code.jmp(end);
      code.bind(some);
      block(false);
    }
    code.bind(end);
    Snippets.leave(code, SAVED);
    return code.code();
  }

  /** As many rows as a register has lanes, or fewer, over all columns. */
  private void block(boolean all) {
    code.mov(COLUMN, FROM);
    code.mov(AT_TO, TO);
    code.mov(LEFT, WIDTH);
    Snippets.turns(
        code,
        LEFT,
        lanes,
        () -> {
          square(null, all);
          code.add(COLUMN, registers.bytes());
          code.add(AT_TO, lanes * LINE);
        },
        () -> {
          registers.first(SOME, LEFT);
          square(SOME, all);
        });
  }

  private Vec vec(int number) {
    return registers.vec(number);
  }

  /** As many rows as columns: pairs, then fours, then whole columns. */
  private void square(Some some, boolean all) {
    Label loaded = new Label();
    code.mov(AT, COLUMN);
    for (int row = 0; row < lanes; row++) {
      if (row > 0) {
        if (!all) {
          code.cmp(COUNT, row);
          code.jle(loaded);
        }
        code.add(AT, STRIDE);
      }
      registers.load(vec(row), Mem.at(AT), some);
    }
    code.bind(loaded);
    for (int pair = 0; pair < lanes; pair += 2) {
      code.vunpcklps(vec(lanes + pair), vec(pair), vec(pair + 1));
      code.vunpckhps(vec(lanes + 1 + pair), vec(pair), vec(pair + 1));
    }
    for (int four = 0; four < lanes; four += 4) {
      for (int i = 0; i < 2; i++) {
        int from = lanes + four + i;
        code.vunpcklpd(vec(four + 2 * i), vec(from), vec(from + 2));
        code.vunpckhpd(vec(four + 2 * i + 1), vec(from), vec(from + 2));
      }
    }
    // Now vector 4g + c has, in its quarter l, rows 4g to 4g + 3 of column 4l + c.
    if (kind == Kind.KEYS) registers.broadcast(vec(lanes + 5), SCALE);
    for (int c = 0; c < 4; c++) {
      if (registers.wide()) quarters(c);
      else halves(c);
    }
  }

  private void quarters(int c) {
    code.vshuff32x4(vec(16), vec(c), vec(4 + c), 0x44);
    code.vshuff32x4(vec(17), vec(8 + c), vec(12 + c), 0x44);
    code.vshuff32x4(vec(18), vec(c), vec(4 + c), 0xEE);
    code.vshuff32x4(vec(19), vec(8 + c), vec(12 + c), 0xEE);
    for (int l = 0; l < 4; l++) {
      int from = l < 2 ? 16 : 18;
      code.vshuff32x4(vec(20), vec(from), vec(from + 1), l % 2 == 0 ? 0x88 : 0xDD);
      store(4 * l + c, vec(20));
    }
  }

  private void halves(int c) {
    for (int l = 0; l < 2; l++) {
      code.vperm2f128(vec(8), vec(c), vec(4 + c), l == 0 ? 0x20 : 0x31);
      store(4 * l + c, vec(8));
    }
  }

  private void store(int line, Vec column) {
    Mem to = Mem.at(AT_TO, line * LINE);
    switch (kind) {
      case KEYS -> {
        code.vmulps(column, column, vec(lanes + 5));
        code.vmovups(to, column);
      }
      case WORDS -> code.vmovups(to, column);
      case HALVES -> pairs(to, column);
    }
  }

  /** The lower halves belong to one line, the upper ones to the next. */
  private void pairs(Mem to, Vec column) {
    Mem next = to.plus(LINE / 2);
    if (registers.wide()) {
      code.vpmovdw(to, column);
      code.vpsrld(column, column, 16);
      code.vpmovdw(next, column);
    } else {
      Vec upper = vec(lanes + 6).as(128);
      code.vpshufb(column, column, lowerThenUpper());
      code.vpermq(column, column, 0xD8);
      code.vmovups(to, column.as(128));
      code.vextractf128(upper, column);
      code.vmovups(next, upper);
    }
  }

  private Mem lowerThenUpper() {
    int[] order = {0x0504_0100, 0x0D0C_0908, 0x0706_0302, 0x0F0E_0B0A};
    return code.constant(
        order[0], order[1], order[2], order[3], order[0], order[1], order[2], order[3]);
  }
}
