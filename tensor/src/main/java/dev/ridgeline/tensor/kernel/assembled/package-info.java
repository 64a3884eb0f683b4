/**
 * Machine code that the project assembles itself, for instructions that the Vector API has no words
 * for. Here live the assembler, the memory that code runs in, and what the processor says it can
 * do; nobody outside decides whether code may run.
 *
 * <p>x86-64 with the System V calling convention alone. Elsewhere, and where memory cannot be made
 * executable, there is a reason in words, and the vector kernels run.
 */
package dev.ridgeline.tensor.kernel.assembled;
