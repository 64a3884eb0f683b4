package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALIGNMENT;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory in which one thread rearranges what a product reads, sized for its L2 cache. A thread
 * gets it at its first product and keeps it.
 */
final class Scratch {
  /** Rows of x that are rearranged at a time. */
  static final int ROWS = 128;

  /** How far a product runs over the inputs before it changes rows; a multiple of 256. */
  static final int DEPTH = 1024;

  private static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial(Scratch::new);

  private final MemorySegment memory;

  /** Rows of x: {@code [ROWS/8][DEPTH/16][8][16]}. */
  final long x;

  /** A panel of weights in f32: {@code [DEPTH][PANEL]}. */
  final long weights;

  /** Results of a panel that is not whole: {@code [ROWS][PANEL]}. */
  final long out;

  /** One line of a panel, for what its sums begin with. */
  final long line;

  /** One vector, for the sum of its lanes. */
  final long lanes;

  /** One line of a panel, always zero. */
  final long zeros;

  /** The scales of two panels. */
  final long scales;

  /** A tile that has not all its rows: {@code [8][PANEL]}. */
  final long tile;

  final Matrix matrix;
  final Keys keys = new Keys();
  final Values values = new Values();
  final Paged paged = new Paged(this);

  private Scratch() {
    long forX = 4L * ROWS * DEPTH;
    long forWeights = 4L * DEPTH * PANEL;
    long forOut = 4L * ROWS * PANEL;
    memory =
        Arena.ofAuto().allocate(forX + forWeights + forOut + 96L * PANEL + ALIGNMENT, ALIGNMENT);
    x = memory.address();
    weights = x + forX;
    out = weights + forWeights;
    line = out + forOut;
    matrix = new Matrix(line + 4L * PANEL);
    zeros = line + 52L * PANEL;
    scales = zeros + 4L * PANEL;
    tile = scales + 8L * PANEL;
    lanes = tile + 32L * PANEL;
  }

  static Scratch own() {
    return OWN.get();
  }
}
