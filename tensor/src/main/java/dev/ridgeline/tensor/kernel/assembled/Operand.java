package dev.ridgeline.tensor.kernel.assembled;

/** What an instruction on vectors can take last: a register, or a place in memory. */
public sealed interface Operand permits Vec, Mem {}
