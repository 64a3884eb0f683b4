/**
 * Kernels in the Vector API. What keeps them fast and exact:
 *
 * <ul>
 *   <li>A matrix product of any type is one micro-kernel over f32 panels; other types are decoded
 *       to a small f32 panel first, once for many rows. So a quantized product has the same bits as
 *       the f32 product of its decoded weights.
 *   <li>Only operations that are exact in the interpreter and in compiled code: add, multiply,
 *       divide, fma, square root, moves of bits. No {@code lanewise(EXP)}, no {@code reduceLanes}.
 *   <li>Accumulators have names, and where there are vectors only methods of the Vector API are
 *       called: C2 stops inlining methods of ours, however small, once it has many nodes, and a
 *       vector that crosses a call is boxed.
 *   <li>Even so C2 fails to inline some store now and then, and boxes vectors until the process
 *       ends, at a fraction of the speed: it depends on what it had seen when it began. With {@code
 *       -XX:UseAVX=2} it boxed in AdamW in 4 JVMs of 10, which is assembled since, and was seen to
 *       in the gradients of norms' weights. The finding {@code allocation-in-hot-scope} tells
 *       users.
 *   <li>The end of a row is worked on one by one or in a whole vector of its own: masks cost many
 *       nodes.
 * </ul>
 */
package dev.ridgeline.tensor.kernel.vector;
