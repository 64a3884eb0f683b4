package dev.ridgeline.tensor.kernel.assembled;

/** An instruction with a result and two operands. */
interface Fold {
  void write(Assembler code, Vec to, Vec a, Operand b);
}
