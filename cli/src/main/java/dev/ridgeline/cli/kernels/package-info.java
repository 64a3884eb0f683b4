/**
 * The first workload: the operations language models are made of, in plain Java.
 *
 * <p>A {@link dev.ridgeline.cli.kernels.Kernel} knows its work and an obvious reference for its
 * result. Matrices are arrays of rows, because the JIT of Java 25 turns a loop into vector code
 * only when all its arrays are indexed alike: {@code c[j] += a * b[j]} becomes vectors, {@code c[i
 * * n + j] += a * b[k * n + j]} stays scalar, five times slower. The arithmetic uses neither fused
 * multiply-add nor {@code Math.exp}, so that results are the same to the bit on every machine and
 * at every number of threads. Real models bring kernels of their own in module {@code tensor}.
 */
package dev.ridgeline.cli.kernels;
