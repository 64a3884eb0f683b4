package dev.ridgeline.bench.shapes;

import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.quant.RandomBlocks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * What a check has to work with: the kernels, memory, and chance. A seed gives the same again,
 * whatever came before.
 */
final class Stage implements AutoCloseable {
  private static final int[] ODD = {1, 2, 3, 7, 8, 13, 31, 33, 257};

  /** Numbers that were made once and are taken from anywhere. */
  private static final int POOL = 1 << 20;

  /** How memory looks that nobody has written to. */
  static final int UNTOUCHED = -1;

  /** What numbers are like. */
  enum Kind {
    /** Of one size and either sign. */
    NORMAL,
    /** Some 256 times as large as others. */
    UNEVEN,
    /** All above zero. */
    POSITIVE
  }

  final Kernels kernels;
  private final GuardedMemory memory = new GuardedMemory();
  private final Arena arena = Arena.ofShared();
  private final Map<Kind, MemorySegment> numbers = new EnumMap<>(Kind.class);
  private final Map<TensorType, MemorySegment> weights = new EnumMap<>(TensorType.class);
  SplittableRandom random;

  Stage(Kernels kernels) {
    this.kernels = kernels;
    var fixed = new Random(1);
    for (Kind kind : Kind.values()) {
      MemorySegment pool = arena.allocate(4L * POOL, Memory.ALIGNMENT);
      for (int i = 0; i < POOL; i++) {
        double number = fixed.nextGaussian();
        if (kind == Kind.UNEVEN) number *= Math.pow(4, i % 5 - 2);
        if (kind == Kind.POSITIVE) number = Math.abs(number);
        put(pool.address(), i, (float) number);
      }
      numbers.put(kind, pool);
    }
  }

  /** Begins anew. */
  void begin(long seed) {
    memory.clear();
    random = new SplittableRandom(seed);
  }

  /** Whether something happens that does so many times in a hundred. */
  boolean percent(int times) {
    return random.nextInt(100) < times;
  }

  /** A size that is odd in some way, rarely a large one. */
  int size() {
    int chance = random.nextInt(100);
    if (chance < 50) return ODD[random.nextInt(ODD.length)];
    return 1 + random.nextInt(chance < 97 ? 80 : 300);
  }

  /** Memory between pages that nobody may touch, right before the one or behind the other. */
  long room(long bytes) {
    return random.nextBoolean() ? memory.upTo(bytes) : memory.from(bytes);
  }

  /** Room for rows of numbers, the last of which ends with its width. */
  long room(int rows, int stride, int width) {
    return room(4L * ((rows - 1L) * stride + width));
  }

  /** The same, with numbers in it; between the rows there are none. */
  long filled(Kind kind, int rows, int stride, int width) {
    long at = room(rows, stride, width);
    long from = numbers.get(kind).address();
    for (int r = 0; r < rows; r++) {
      long offset = random.nextInt(POOL - width);
      MemorySegment.copy(ALL, from + 4 * offset, ALL, at + 4L * stride * r, 4L * width);
    }
    return at;
  }

  /** As many weights, as a file has them. */
  long stored(TensorType type, long count) {
    MemorySegment pool = weights.computeIfAbsent(type, this::made);
    long bytes = type.bytes(count);
    long blocks = (pool.byteSize() - bytes) / type.blockBytes();
    long at = room(bytes);
    long from = pool.address() + random.nextLong(blocks) * type.blockBytes();
    MemorySegment.copy(ALL, from, ALL, at, bytes);
    return at;
  }

  private MemorySegment made(TensorType type) {
    MemorySegment pool = arena.allocate(type.bytes(POOL), Memory.ALIGNMENT);
    RandomBlocks.fill(type, pool.address(), pool.byteSize(), new SplittableRandom(2));
    return pool;
  }

  static float get(long address, long index) {
    return ALL.get(JAVA_FLOAT_UNALIGNED, address + 4 * index);
  }

  static int bits(long address, long index) {
    return ALL.get(JAVA_INT_UNALIGNED, address + 4 * index);
  }

  static void put(long address, long index, float value) {
    ALL.set(JAVA_FLOAT_UNALIGNED, address + 4 * index, value);
  }

  /** A result must be so near; infinities and what is not a number must be the same. */
  static void near(float got, double expected, double bound, String what) {
    boolean right =
        Double.isNaN(expected)
            ? Float.isNaN(got)
            : Double.isInfinite(expected) ? got == expected : Math.abs(got - expected) <= bound;
    if (right) return;
    throw new Wrong("%s: %s, not %s ± %.1e".formatted(what, got, expected, bound));
  }

  /** Two results must have the same bits. */
  static void same(long a, long b, int rows, int stride, int width, String what) {
    for (int r = 0; r < rows; r++) {
      long skip = (long) r * stride;
      for (int i = 0; i < width; i++) {
        if (bits(a, skip + i) == bits(b, skip + i)) continue;
        // What is not a number is that in more than one way.
        if (Float.isNaN(get(a, skip + i)) && Float.isNaN(get(b, skip + i))) continue;
        throw new Wrong(
            "%s at %d, %d: %s is not %s".formatted(what, r, i, get(a, skip + i), get(b, skip + i)));
      }
    }
  }

  /** Between rows nothing may be written. */
  static void gaps(long at, int rows, int stride, int width, String what) {
    for (int r = 0; r < rows - 1; r++) {
      for (int i = width; i < stride; i++) {
        if (bits(at, (long) r * stride + i) != UNTOUCHED) {
          throw new Wrong("%s wrote behind row %d".formatted(what, r));
        }
      }
    }
  }

  @Override
  public void close() {
    memory.close();
    arena.close();
  }
}
