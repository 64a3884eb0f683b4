/**
 * The machine code that the JVM's compilers made of a method: read from what the JVM prints,
 * disassembled by objdump, counted, and compared with that of another run.
 */
package dev.ridgeline.lab.jit;
