package dev.ridgeline.oracle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Instructions that a test needs and some processors lack. The test then skips with a reason that
 * {@code .ci/run} knows: it accepts the reason on a processor without these instructions, and fails
 * on one that has them.
 */
public enum Needs {
  AVX_512("AVX-512"),
  VNNI("VNNI"),
  AVX_VNNI("AVX-VNNI"),
  AMX("AMX"),
  BF16("BF16");

  private final String title;

  Needs(String title) {
    this.title = title;
  }

  /**
   * Skips the test unless the code under test has these instructions.
   *
   * @param there what the product itself says, so that a lower tier that was asked for counts
   */
  public void orSkip(boolean there) {
    assumeTrue(there, "needs " + title);
  }
}
