/**
 * Kernels in the Vector API. What keeps them fast and exact:
 *
 * <ul>
 *   <li>A matrix product of any type is one micro-kernel over f32 panels; other types are decoded
 *       to a small f32 panel first, once for many rows. So a quantized product has the same bits as
 *       the f32 product of its decoded weights.
 *   <li>Only operations that are exact in the interpreter and in compiled code: add, multiply,
 *       divide, fma, square root, moves of bits. No {@code lanewise(EXP)}, no {@code reduceLanes}.
 *   <li>In a micro-kernel, accumulators have names and loads are written out: C2 stops inlining
 *       small methods of ours, but not those of the Vector API, in a method with many nodes.
 *   <li>A vector never crosses a call that may not be inlined.
 * </ul>
 */
package dev.ridgeline.tensor.kernel.vector;
