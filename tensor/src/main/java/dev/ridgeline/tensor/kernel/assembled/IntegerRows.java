package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R12;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R13;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R14;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;

/**
 * Where the rows of a tile of an {@link IntegerProduct} have the bytes, sums and steps of a block:
 * three rows from one register on, three from another.
 */
final class IntegerRows {
  /** Bytes from a row to the next. */
  static final Gpr STRIDE = RDX;

  private static final Gpr QUANTS = RSI;
  private static final Gpr SUMS = R10;
  private static final Gpr STEPS = R11;

  // Those of the fourth row.
  private static final Gpr QUANTS_3 = R12;
  private static final Gpr SUMS_3 = R13;
  private static final Gpr STEPS_3 = R14;

  private final Assembler code;
  private final RowFormat format;

  IntegerRows(Assembler code, RowFormat format) {
    this.code = code;
    this.format = format;
  }

  static Mem quants(int row) {
    return row(QUANTS, QUANTS_3, STRIDE, row);
  }

  static Mem sums(int row) {
    return row(SUMS, SUMS_3, STRIDE, row);
  }

  static Mem steps(int row) {
    return row(STEPS, STEPS_3, STRIDE, row);
  }

  static Mem row(Gpr first, Gpr fourth, Gpr stride, int row) {
    Gpr base = row < 3 ? first : fourth;
    return switch (row % 3) {
      case 0 -> Mem.at(base);
      case 1 -> Mem.at(base, stride, 1, 0);
      default -> Mem.at(base, stride, 2, 0);
    };
  }

  /** {@code to = from + 3 · stride}. */
  static void third(Assembler code, Gpr to, Gpr from, Gpr stride) {
    code.lea(to, Mem.at(from, stride, 2, 0));
    code.add(to, stride);
  }

  /** Goes to the first row, whose bytes are given. */
  void first(Mem quants, Mem blockCount) {
    code.load(QUANTS, quants);
    code.load(RAX, blockCount);
    Snippets.behindBytes(code, SUMS, STEPS, QUANTS, format.blockShift());
  }

  /** Finds the fourth row. */
  void fourth() {
    third(code, QUANTS_3, QUANTS, STRIDE);
    third(code, SUMS_3, SUMS, STRIDE);
    third(code, STEPS_3, STEPS, STRIDE);
  }

  private int blockBytes() {
    return format.block() * format.numberBytes();
  }

  /** Goes to the next block of so many rows. */
  void nextBlock(int rows) {
    advance(rows, QUANTS, QUANTS_3, blockBytes());
    advance(rows, SUMS, SUMS_3, 4);
    advance(rows, STEPS, STEPS_3, 4);
  }

  private void advance(int rows, Gpr first, Gpr fourth, int bytes) {
    code.add(first, bytes);
    if (rows > 3) code.add(fourth, bytes);
  }

  /** Goes from the end of so many rows to the first block of those that follow. */
  void next(int rows, Mem blockCount) {
    code.load(RAX, blockCount);
    back(QUANTS, blockBytes());
    back(SUMS, 4);
    back(STEPS, 4);
    code.imul(RAX, STRIDE, rows);
    code.add(QUANTS, RAX);
    code.add(SUMS, RAX);
    code.add(STEPS, RAX);
  }

  /** {@code at -= bytes · RAX}. */
  private void back(Gpr at, int bytes) {
    code.imul(RDI, RAX, bytes);
    code.sub(at, RDI);
  }
}
