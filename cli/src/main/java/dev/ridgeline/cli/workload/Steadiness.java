package dev.ridgeline.cli.workload;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides when rounds are steady: the last of them are no faster than those before, allocate
 * nothing, and leave the JIT idle.
 *
 * <p>Pure arithmetic on what it is told; clocks and limits are the caller's.
 */
public final class Steadiness {
  private static final CompilationMXBean JIT = ManagementFactory.getCompilationMXBean();

  /** So many rounds are looked at, and as many must stand before them. */
  static final int ROUNDS = 3;

  /** … of a program take so long together: the JIT comes long after the code that it compiles. */
  static final long NANOS = 1_000_000_000L;

  /** Cold code gets faster; a busy machine only scatters, and that is no reason to wait. */
  static final double FASTER = 0.05;

  /** The share of their time that the JIT may take: well below what makes a profile unsound. */
  static final double COMPILING = 0.02;

  private final long together;

  /** Of a whole program. */
  public Steadiness() {
    this(NANOS);
  }

  /**
   * @param together how long the rounds that are looked at take together
   */
  public Steadiness(long together) {
    this.together = together;
  }

  private record Round(long nanos, double nanosPerUnit, long allocatedBytes, long jitMillis) {}

  private final List<Round> rounds = new ArrayList<>();

  /**
   * Takes a round.
   *
   * @param units tokens or texts that went through the model, at least 1
   * @param allocatedBytes by the program alone, see {@link HeapMeter}
   * @param jitMillis what the JIT has compiled since the process began
   */
  public void add(long nanos, long units, long allocatedBytes, long jitMillis) {
    rounds.add(new Round(nanos, (double) nanos / units, allocatedBytes, jitMillis));
  }

  /** What the JIT has compiled since the process began. */
  public static long compiledMillis() {
    return JIT == null ? 0 : JIT.getTotalCompilationTime();
  }

  public int rounds() {
    return rounds.size();
  }

  /** What is not steady yet; nothing when all is. */
  public List<String> lacks() {
    int from = rounds.size();
    long nanos = 0;
    while (from > 0 && (rounds.size() - from < ROUNDS || nanos < together)) {
      nanos += rounds.get(--from).nanos();
    }
    if (from < ROUNDS) return List.of("there were too few rounds to tell");
    List<Round> last = rounds.subList(from, rounds.size());
    List<String> lacks = new ArrayList<>();
    if (fastest(last) < fastest(rounds.subList(0, from)) * (1 - FASTER)) {
      lacks.add("rounds were still getting faster");
    }
    if (2 * last.stream().filter(round -> round.allocatedBytes() == 0).count() < last.size()) {
      lacks.add("rounds still allocated on the heap, which warm code does not");
    }
    long jit = last.getLast().jitMillis() - rounds.get(from - 1).jitMillis();
    if (jit * 1e6 > COMPILING * nanos) lacks.add("the JIT was still compiling");
    return lacks;
  }

  /**
   * Why figures of what is measured now may be worse than they need be; null when all is steady.
   */
  public String cold() {
    List<String> lacks = lacks();
    if (lacks.isEmpty()) return null;
    return "measurement began before speed was steady: %s (--warm-up 60 waits longer)"
        .formatted(String.join(" and ", lacks));
  }

  private static double fastest(List<Round> some) {
    return some.stream().mapToDouble(Round::nanosPerUnit).min().orElseThrow();
  }
}
