package dev.ridgeline.tensor.kernel.assembled;

/** Emits a kernel on rows of f32, in registers of either width. */
abstract class RowEmitter implements Emitter {
  final Assembler code = new Assembler();
  final Registers registers;

  /**
   * @param bits of registers
   */
  RowEmitter(int bits) {
    registers = new Registers(code, bits);
  }

  /** The numbers of a register of a turn. */
  final Mem at(Gpr place, int vector) {
    return Mem.at(place, registers.bytes() * vector);
  }
}
