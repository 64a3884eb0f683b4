package dev.ridgeline.cli.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadinessTest {
  private static final long HALF_A_SECOND = Steadiness.NANOS / 2;

  private final Steadiness steadiness = new Steadiness();

  private void rounds(int count, long nanos, long units, long allocated, long jit) {
    for (int i = 0; i < count; i++) steadiness.add(nanos, units, allocated, jit);
  }

  @Test
  void roundsThatAreAlikeAllocateNothingAndCompileNothingAreSteady() {
    rounds(2 * Steadiness.ROUNDS, HALF_A_SECOND, 100, 0, 700);
    assertThat(steadiness.lacks()).isEmpty();
  }

  @Test
  void shortRoundsMustLastAWhileSinceTheJitComesLate() {
    long nanos = Steadiness.NANOS / 20;
    rounds(20 + Steadiness.ROUNDS - 1, nanos, 100, 0, 700);
    assertThat(steadiness.lacks()).containsExactly("there were too few rounds to tell");
    rounds(1, nanos, 100, 0, 700);
    assertThat(steadiness.lacks()).isEmpty();
  }

  @Test
  void fasterRoundsAreNotSteadyButSlowerOnesAre() {
    rounds(Steadiness.ROUNDS, HALF_A_SECOND, 100, 0, 700);
    rounds(Steadiness.ROUNDS, HALF_A_SECOND, 110, 0, 700);
    assertThat(steadiness.lacks()).containsExactly("rounds were still getting faster");
    rounds(Steadiness.ROUNDS, HALF_A_SECOND, 90, 0, 700);
    assertThat(steadiness.lacks()).isEmpty();
  }

  @Test
  void oneRoundInWhichSomethingElseAllocatedIsNoReasonToWaitButMostAre() {
    rounds(Steadiness.ROUNDS, HALF_A_SECOND, 100, 96, 700);
    rounds(1, HALF_A_SECOND, 100, 96, 700);
    rounds(1, HALF_A_SECOND, 100, 0, 700);
    rounds(1, HALF_A_SECOND, 100, 96, 700);
    assertThat(steadiness.lacks())
        .containsExactly("rounds still allocated on the heap, which warm code does not");
    rounds(1, HALF_A_SECOND, 100, 0, 700);
    assertThat(steadiness.lacks()).isEmpty();
  }

  @Test
  void whatIsNotSteadyIsSaidInASentenceThatNamesTheWayOut() {
    rounds(Steadiness.ROUNDS, HALF_A_SECOND, 100, 96, 700);
    rounds(Steadiness.ROUNDS, HALF_A_SECOND, 110, 96, 700);
    assertThat(steadiness.cold())
        .isEqualTo(
            "measurement began before speed was steady: rounds were still getting"
                + " faster and rounds still allocated on the heap, which warm code does not"
                + " (--warm-up 60 waits longer)");
    rounds(2 * Steadiness.ROUNDS, HALF_A_SECOND, 110, 0, 700);
    assertThat(steadiness.cold()).isNull();
  }

  @Test
  void aJitAtWorkIsNotSteady() {
    rounds(Steadiness.ROUNDS, HALF_A_SECOND, 100, 0, 700);
    rounds(Steadiness.ROUNDS, HALF_A_SECOND, 100, 0, 731);
    assertThat(steadiness.lacks()).containsExactly("the JIT was still compiling");
    rounds(1, HALF_A_SECOND, 100, 0, 731);
    assertThat(steadiness.lacks()).isEmpty();
  }
}
