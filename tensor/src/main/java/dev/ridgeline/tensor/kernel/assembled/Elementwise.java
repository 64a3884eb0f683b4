package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.kernel.assembled.Power.Lane;
import dev.ridgeline.tensor.kernel.assembled.Registers.Some;

/**
 * Emits an activation of each number of a row, or none, and what joins that with a second row.
 *
 * <p>{@code void f(a, b, out, count)}, all of them longs; where there is no second row, {@code b}
 * has the bits of a number or nothing.
 */
final class Elementwise extends RowEmitter {
  /** What is done with the numbers of the second row. */
  enum Join {
    /** There are none. */
    NONE,
    ADD,
    MULTIPLY,
    /** It is one number that all others are multiplied by. */
    SCALE
  }

  /** √(2/π), doubled: tanh is written as a logistic function of twice its argument. */
  private static final float TWICE = (float) (2 * Math.sqrt(2 / Math.PI));

  /** log₂ Φ(−a) on [0, 6], with the weight a·Φ(−a); from the tenth power down. */
  private static final float[] TAIL_SERIES = {
    -2.5423818e-8f,
    7.671396e-7f,
    -9.918213e-6f,
    6.9824375e-5f,
    -2.5448683e-4f,
    -5.8486323e-5f,
    7.028602e-3f,
    -5.250673e-2f,
    -4.5919326e-1f,
    -1.1511093f,
    -0.9999997f
  };

  /** 2^r, from the seventh power down. */
  private static final float[] TWO_SERIES = {
    1.5252734e-5f,
    1.5403530e-4f,
    1.3333558e-3f,
    9.6181291e-3f,
    5.5504109e-2f,
    2.4022651e-1f,
    6.9314718e-1f,
    1
  };

  private static final Gpr A = RDI;
  private static final Gpr B = RSI;
  private static final Gpr OUT = RDX;
  private static final Gpr LEFT = R8;

  /** The registers of one of two vectors that take turns. */
  private record Work(Vec x, Vec y, Vec z, Vec n, Vec power, Some low) {}

  /** Constants begin here. */
  private static final int FREE = 11;

  /** Null where numbers are taken as they are. */
  private final Activation activation;

  private final Join join;
  private final Work[] works = {work(0, 2), work(5, 3)};

  /** The same for powers: z = exp(y). */
  private final Lane[] lanes = {lane(works[0]), lane(works[1])};

  private final Vec zero = registers.vec(10);

  private final Constants constants = new Constants(registers, FREE);
  private Power exp;
  private Vec factor;
  private Vec bound;
  private Operand cubic;
  private Operand minusTwice;
  private Operand magnitude;
  private Operand[] tail;
  private Operand[] two;

  /**
   * @param bits of registers
   */
  Elementwise(Activation activationOrNull, Join join, int bits) {
    super(bits);
    this.activation = activationOrNull;
    this.join = join;
  }

  /** Five registers; those that are too low are known when the power of two is not needed more. */
  private Work work(int first, int mask) {
    return new Work(
        registers.vec(first),
        registers.vec(first + 1),
        registers.vec(first + 2),
        registers.vec(first + 3),
        registers.vec(first + 4),
        Registers.some(mask, first + 3));
  }

  private static Lane lane(Work work) {
    Some low = new Some(work.low.mask(), work.power.as(256));
    return new Lane(work.z, work.y, work.n, low);
  }

  @Override
  public byte[] emit() {
    code.mov(LEFT, RCX);
    constants();
    boolean both = join == Join.ADD || join == Join.MULTIPLY;
    Gpr[] places = both ? new Gpr[] {A, B, OUT} : new Gpr[] {A, OUT};
    registers.pairs(LEFT, this::turn, places);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private void constants() {
    registers.zero(zero);
    if (join == Join.SCALE) {
      factor = registers.vec(FREE);
      registers.broadcast(factor, B);
    }
    switch (activation) {
      case null -> {}
      case GELU -> {
        // Beyond, the second term is too small to be seen.
        bound = constants.register(6);
        magnitude = constants.of(Float.intBitsToFloat(0x7FFF_FFFF));
        tail = series(TAIL_SERIES);
        two = series(TWO_SERIES);
      }
      case GELU_TANH -> {
        // Below, results are less than 10⁻³⁶ and powers leave their range.
        bound = constants.register(-10);
        exp = new Power(code, registers, constants);
        cubic = constants.of(0.044715f);
        minusTwice = constants.of(-TWICE);
      }
      case SILU -> {
        bound = constants.register(-87);
        exp = new Power(code, registers, constants);
      }
    }
  }

  private Operand[] series(float[] values) {
    Operand[] series = new Operand[values.length];
    for (int i = 0; i < series.length; i++) series[i] = constants.of(values[i]);
    return series;
  }

  private void turn(int first, int count, Some some) {
    for (int i = 0; i < count; i++) {
      registers.load(works[i].x, at(A, first + i), some);
    }
    switch (activation) {
      case null -> {}
      case GELU -> gelu(count);
      case GELU_TANH -> {
        for (int i = 0; i < count; i++) cube(works[i]);
        logistic(count);
      }
      case SILU -> {
        for (int i = 0; i < count; i++) code.vsubps(works[i].y, zero, works[i].x);
        logistic(count);
      }
    }
    for (int i = 0; i < count; i++) {
      Vec x = works[i].x;
      Mem other = at(B, first + i);
      switch (join) {
        case NONE -> {}
        case ADD -> code.vaddps(x, x, registers.there(other, works[i].n, some));
        case MULTIPLY -> code.vmulps(x, x, registers.there(other, works[i].n, some));
        case SCALE -> code.vmulps(x, x, factor);
      }
      registers.store(at(OUT, first + i), x, some);
    }
  }

  /** {@code y = −2·√(2/π)·(x + 0.044715 x³)}. */
  private void cube(Work work) {
    registers.move(work.y, cubic);
    code.vmulps(work.z, work.x, work.x);
    code.vfmadd213ps(work.y, work.z, exp.one());
    code.vmulps(work.y, work.y, work.x);
    code.vmulps(work.y, work.y, minusTwice);
  }

  /** {@code x / (1 + exp(y))}, zero where x is too low. */
  private void logistic(int count) {
    exp.exp(lanes, count);
    for (int i = 0; i < count; i++) {
      Work work = works[i];
      registers.less(work.low, work.x, bound);
      code.vaddps(work.z, work.z, exp.one());
      code.vdivps(work.x, work.x, work.z);
      registers.clear(work.x, work.low);
    }
  }

  /** {@code max(x, 0) − a·Φ(−a)} with a = |x|; beyond 6 the second term is left out. */
  private void gelu(int count) {
    for (int i = 0; i < count; i++) code.vpand(works[i].y, works[i].x, magnitude);
    for (int i = 0; i < count; i++) registers.move(works[i].z, tail[0]);
    for (int term = 1; term < tail.length; term++) {
      for (int i = 0; i < count; i++) code.vfmadd213ps(works[i].z, works[i].y, tail[term]);
    }
    for (int i = 0; i < count; i++) code.vroundps(works[i].n, works[i].z);
    for (int i = 0; i < count; i++) code.vsubps(works[i].z, works[i].z, works[i].n);
    for (int i = 0; i < count; i++) registers.move(works[i].power, two[0]);
    for (int term = 1; term < two.length; term++) {
      for (int i = 0; i < count; i++) code.vfmadd213ps(works[i].power, works[i].z, two[term]);
    }
    for (int i = 0; i < count; i++) {
      Work work = works[i];
      registers.scale(work.power, work.n);
      code.vmulps(work.power, work.power, work.y);
      registers.less(work.low, bound, work.y);
      registers.clear(work.power, work.low);
      code.vmaxps(work.x, zero, work.x);
      code.vsubps(work.x, work.x, work.power);
    }
  }
}
