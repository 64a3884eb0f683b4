package dev.ridgeline.tensor.kernel.assembled;

/** Numbers in every lane: in registers as long as there are any, then in memory. */
final class Constants {
  private final Registers registers;
  private final int end;
  private int next;

  /**
   * @param first a register that is free, like all that follow, but for the last
   */
  Constants(Registers registers, int first) {
    this.registers = registers;
    this.next = first;
    this.end = registers.wide() ? 32 : 15;
  }

  /** A register that has it from now on. */
  Vec register(float value) {
    Vec vec = registers.vec(next++);
    registers.constant(vec, value);
    return vec;
  }

  /** An operand that may be the last of an instruction alone. */
  Operand of(float value) {
    return next < end ? register(value) : registers.constant(Float.floatToRawIntBits(value));
  }
}
