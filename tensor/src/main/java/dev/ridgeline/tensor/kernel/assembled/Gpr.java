package dev.ridgeline.tensor.kernel.assembled;

/**
 * A general register, by its number in the machine. Arguments arrive in RDI, RSI, RDX, RCX, R8, R9;
 * RBX, RBP, RSP and R12 to R15 belong to the caller; a result leaves in RAX.
 */
public enum Gpr {
  RAX,
  RCX,
  RDX,
  RBX,
  RSP,
  RBP,
  RSI,
  RDI,
  R8,
  R9,
  R10,
  R11,
  R12,
  R13,
  R14,
  R15
}
