package dev.ridgeline.lab.roofline;

import static dev.ridgeline.tensor.Memory.ALL;

import java.nio.ByteOrder;
import java.util.SplittableRandom;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link MachineLoops} in the Vector API, for machines where assembled code cannot
 * run. Written out, since C2 keeps a vector in a register only where it sees it whole.
 */
public final class VectorLoops {
  private static final VectorSpecies<Float> F = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> I = IntVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int BYTES = F.vectorByteSize();

  /** What is stored first, see {@link Pattern}. */
  private static final int[] NUMBERS = new SplittableRandom(4).ints(4L * I.length()).toArray();

  /** Bytes of a turn through memory. */
  static final int TURN = 4 * BYTES;

  /** Operations of a turn of {@link #fma}. */
  public static final double OPERATIONS = 2.0 * 12 * F.length();

  private static volatile float sink;

  private VectorLoops() {}

  /** Nothing but fma in registers: the rate that no product on this core can pass. */
  public static void fma(int turns) {
    FloatVector s = FloatVector.broadcast(F, 0.999f);
    FloatVector t = FloatVector.broadcast(F, 0.001f);
    FloatVector a = t;
    FloatVector b = t;
    FloatVector c = t;
    FloatVector d = t;
    FloatVector e = t;
    FloatVector f = t;
    FloatVector g = t;
    FloatVector h = t;
    FloatVector i = t;
    FloatVector j = t;
    FloatVector k = t;
    FloatVector l = t;
    for (int turn = 0; turn < turns; turn++) {
      a = a.fma(s, t);
      b = b.fma(s, t);
      c = c.fma(s, t);
      d = d.fma(s, t);
      e = e.fma(s, t);
      f = f.fma(s, t);
      g = g.fma(s, t);
      h = h.fma(s, t);
      i = i.fma(s, t);
      j = j.fma(s, t);
      k = k.fma(s, t);
      l = l.fma(s, t);
    }
    FloatVector all = a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).add(i).add(j).add(k);
    sink = all.add(l).lane(0);
  }

  static void read(long from, long bytes) {
    IntVector a = IntVector.zero(I);
    IntVector b = a;
    IntVector c = a;
    IntVector d = a;
    for (long at = from; at < from + bytes; at += TURN) {
      a = a.add(IntVector.fromMemorySegment(I, ALL, at, ORDER));
      b = b.add(IntVector.fromMemorySegment(I, ALL, at + BYTES, ORDER));
      c = c.add(IntVector.fromMemorySegment(I, ALL, at + 2L * BYTES, ORDER));
      d = d.add(IntVector.fromMemorySegment(I, ALL, at + 3L * BYTES, ORDER));
    }
    sink = a.add(b).add(c.add(d)).lane(0);
  }

  static void write(long to, long bytes) {
    int lanes = I.length();
    IntVector step = IntVector.broadcast(I, Pattern.STEP);
    IntVector a = IntVector.fromArray(I, NUMBERS, 0);
    IntVector b = IntVector.fromArray(I, NUMBERS, lanes);
    IntVector c = IntVector.fromArray(I, NUMBERS, 2 * lanes);
    IntVector d = IntVector.fromArray(I, NUMBERS, 3 * lanes);
    for (long at = to; at < to + bytes; at += TURN) {
      a.intoMemorySegment(ALL, at, ORDER);
      b.intoMemorySegment(ALL, at + BYTES, ORDER);
      c.intoMemorySegment(ALL, at + 2L * BYTES, ORDER);
      d.intoMemorySegment(ALL, at + 3L * BYTES, ORDER);
      a = a.add(step);
      b = b.add(step);
      c = c.add(step);
      d = d.add(step);
    }
  }

  static void copy(long from, long to, long bytes) {
    long way = to - from;
    for (long at = from; at < from + bytes; at += TURN) {
      FloatVector a = FloatVector.fromMemorySegment(F, ALL, at, ORDER);
      FloatVector b = FloatVector.fromMemorySegment(F, ALL, at + BYTES, ORDER);
      FloatVector c = FloatVector.fromMemorySegment(F, ALL, at + 2L * BYTES, ORDER);
      FloatVector d = FloatVector.fromMemorySegment(F, ALL, at + 3L * BYTES, ORDER);
      a.intoMemorySegment(ALL, at + way, ORDER);
      b.intoMemorySegment(ALL, at + way + BYTES, ORDER);
      c.intoMemorySegment(ALL, at + way + 2L * BYTES, ORDER);
      d.intoMemorySegment(ALL, at + way + 3L * BYTES, ORDER);
    }
  }
}
