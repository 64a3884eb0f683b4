package dev.ridgeline.bench;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** A loop of nothing but fma in registers: the rate that no product on this core can pass. */
final class FmaPeak {
  private static final VectorSpecies<Float> F = FloatVector.SPECIES_PREFERRED;
  private static final int TURNS = 20_000;

  /** Operations of one {@link #run}. */
  static final double FLOPS = 2.0 * 12 * TURNS * F.length();

  static volatile float sink;

  private FmaPeak() {}

  static void run() {
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
    for (int turn = 0; turn < TURNS; turn++) {
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
}
