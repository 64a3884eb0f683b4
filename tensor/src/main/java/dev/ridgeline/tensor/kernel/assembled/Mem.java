package dev.ridgeline.tensor.kernel.assembled;

/**
 * A place in memory: {@code base + index · scale + offset}, or a constant after the code.
 *
 * @param index null for none
 * @param scale 1, 2, 4 or 8
 * @param broadcast whether one number there stands for a whole vector of them
 * @param constant null for a place that registers name
 */
public record Mem(Gpr base, Gpr index, int scale, int offset, boolean broadcast, Label constant)
    implements Operand {
  public Mem {
    boolean known = scale == 1 || scale == 2 || scale == 4 || scale == 8;
    if (!known || index == Gpr.RSP) {
      throw new IllegalArgumentException("%d times %s".formatted(scale, index));
    }
    if (constant != null && offset != 0) throw new IllegalArgumentException("within a constant");
  }

  public static Mem at(Gpr base) {
    return at(base, 0);
  }

  public static Mem at(Gpr base, int offset) {
    return new Mem(base, null, 1, offset, false, null);
  }

  public static Mem at(Gpr base, Gpr index, int scale, int offset) {
    return new Mem(base, index, scale, offset, false, null);
  }

  static Mem constant(Label label) {
    return new Mem(null, null, 1, 0, false, label);
  }

  public Mem plus(int more) {
    return new Mem(base, index, scale, offset + more, broadcast, constant);
  }

  /** One number for every lane; EVEX alone. */
  public Mem each() {
    return new Mem(base, index, scale, offset, true, constant);
  }
}
