package dev.ridgeline.lab.bisect;

/**
 * The error that all decisions of a search together may make, and each one's part of it.
 *
 * <p>A search that halves n commits takes about log₂ n decisions, and one that is wrong sends it
 * after the wrong commit. So nine tenths of the error are shared by as many as are expected; what
 * comes on top, because commits had to be skipped, gets half of what is left each time. The parts
 * never add up to more than the whole (Boole's inequality).
 *
 * @param error what all together may err
 * @param expected how many decisions there should be
 */
record Allowance(double error, int expected) {
  private static final double EXPECTED = 0.9;

  /** Of a search among so many suspects. */
  static Allowance among(int suspects, double error) {
    return new Allowance(error, Math.max(1, steps(suspects)));
  }

  /** About how many decisions it takes to be left with one. */
  static int steps(int suspects) {
    return suspects <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(suspects - 1);
  }

  /** What one decision may err, counted from 1. */
  double of(int decision) {
    return decision <= expected
        ? EXPECTED * error / expected
        : Math.scalb((1 - EXPECTED) * error, expected - decision);
  }

  /** What so many decisions may have erred together. */
  double spent(int decisions) {
    double spent = 0;
    for (int i = 1; i <= decisions; i++) spent += of(i);
    return spent;
  }
}
