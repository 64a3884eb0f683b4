package dev.ridgeline.lab.bound;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;

/**
 * What an operation waits for, by the times of its parts.
 *
 * <p>Reading alone takes about as long as all: memory. Arithmetic alone does: compute. Both
 * together, one after the other, do: nothing overlaps. <em>About as long</em> is said of a part
 * only where its whole interval is above the margin below 1, and <em>not</em> only where the whole
 * interval is beneath it; what lies across it is not decided. Nothing is asked of its upper end: a
 * part cannot take longer than all of it, so that what lies above 1 is noise, memory that got
 * faster in between. A part whose whole interval is above the margin contradicts the measurement
 * and decides nothing, either.
 *
 * @param read the logarithm of reading alone over all, paired by round
 * @param compute the same of arithmetic alone
 * @param sum the same of both added up
 * @param margin within which times are about the same: 0.25 for a quarter
 */
public record Bound(Found found, Interval read, Interval compute, Interval sum, double margin) {
  private static final double CONFIDENCE = 0.95;

  /** What can be found. */
  public enum Found {
    MEMORY("memory-bound"),
    COMPUTE("compute-bound"),
    BALANCED("bound by memory and arithmetic alike: they overlap, and neither waits"),
    NO_OVERLAP("bound by both, one after the other: reading and arithmetic do not overlap"),
    BETWEEN("between memory-bound and compute-bound: reading and arithmetic overlap in part"),
    NEITHER("bound by neither: both together are less than it takes"),
    UNDECIDED("not decided");

    private final String words;

    Found(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  /** Where a ratio lies against 1. */
  enum Place {
    BELOW,
    ALIKE,
    ABOVE,
    UNSURE;

    /** Of a part, which is all of it at most. */
    static Place ofPart(Interval log, double margin) {
      double edge = Math.log1p(margin);
      if (log.high() < -edge) return BELOW;
      if (log.low() > edge) return ABOVE;
      return log.low() >= -edge && log.bounded() ? ALIKE : UNSURE;
    }

    /** Of a sum, which may well be more than all of it. */
    static Place ofSum(Interval log, double margin) {
      double edge = Math.log1p(margin);
      if (log.low() >= -edge && log.high() <= edge) return ALIKE;
      if (log.high() < -edge) return BELOW;
      return log.low() > edge ? ABOVE : UNSURE;
    }
  }

  /**
   * Of times by round: the same rounds of each part.
   *
   * @param margin above 0
   */
  public static Bound of(double[] read, double[] compute, double[] full, double margin) {
    int rounds = full.length;
    if (read.length != rounds || compute.length != rounds) {
      throw new IllegalArgumentException("other rounds of each part");
    }
    if (!(margin > 0)) throw new IllegalArgumentException("a margin of " + margin);
    double[][] logs = new double[3][rounds];
    for (int i = 0; i < rounds; i++) {
      logs[0][i] = Math.log(read[i] / full[i]);
      logs[1][i] = Math.log(compute[i] / full[i]);
      logs[2][i] = Math.log((read[i] + compute[i]) / full[i]);
    }
    Interval reading = HodgesLehmann.of(logs[0], CONFIDENCE);
    Interval computing = HodgesLehmann.of(logs[1], CONFIDENCE);
    Interval both = HodgesLehmann.of(logs[2], CONFIDENCE);
    return new Bound(found(reading, computing, both, margin), reading, computing, both, margin);
  }

  private static Found found(Interval read, Interval compute, Interval sum, double margin) {
    Place reading = Place.ofPart(read, margin);
    Place computing = Place.ofPart(compute, margin);
    return switch (reading) {
      case ALIKE ->
          switch (computing) {
            case BELOW -> Found.MEMORY;
            case ALIKE -> Found.BALANCED;
            case ABOVE, UNSURE -> Found.UNDECIDED;
          };
      case BELOW ->
          switch (computing) {
            case ALIKE -> Found.COMPUTE;
            case BELOW ->
                switch (Place.ofSum(sum, margin)) {
                  case ALIKE -> Found.NO_OVERLAP;
                  case ABOVE -> Found.BETWEEN;
                  case BELOW -> Found.NEITHER;
                  case UNSURE -> Found.UNDECIDED;
                };
            case ABOVE, UNSURE -> Found.UNDECIDED;
          };
      case ABOVE, UNSURE -> Found.UNDECIDED;
    };
  }

  /** Whether a part alone took longer than all of it, which no machine can do. */
  public boolean contradicts() {
    return Place.ofPart(read, margin) == Place.ABOVE
        || Place.ofPart(compute, margin) == Place.ABOVE;
  }
}
