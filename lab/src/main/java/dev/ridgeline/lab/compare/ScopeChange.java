package dev.ridgeline.lab.compare;

/**
 * A scope of both runs, per unit of work or, where a run does not tell its units, per call.
 *
 * @param path the names from the top
 * @param base what it took before, or null where it was not
 * @param current what it took after, or null where it is no more
 */
public record ScopeChange(String path, Cost base, Cost current) {
  /**
   * What a scope took for a unit of work.
   *
   * @param selfNanos time outside of inner scopes, less the recorder's own
   * @param waitingNanos the part of it in which threads waited; NaN when not recorded
   * @param allocatedBytes heap bytes outside of inner scopes; NaN when not recorded
   * @param calls calls
   * @param bytes declared bytes
   */
  public record Cost(
      double selfNanos, double waitingNanos, double allocatedBytes, double calls, double bytes) {
    static final Cost NONE = new Cost(0, 0, 0, 0, 0);
  }

  Cost baseOrNone() {
    return base == null ? Cost.NONE : base;
  }

  Cost currentOrNone() {
    return current == null ? Cost.NONE : current;
  }

  /** By how much its time grew, in nanoseconds of a unit of work. */
  public double grownNanos() {
    return currentOrNone().selfNanos() - baseOrNone().selfNanos();
  }

  /** By how much its waiting grew, in nanoseconds of a unit of work; 0 where it is not known. */
  public double grownWaitingNanos() {
    double grown = currentOrNone().waitingNanos() - baseOrNone().waitingNanos();
    return Double.isNaN(grown) ? 0 : grown;
  }

  /** By how much its allocation grew, in bytes of a unit of work; 0 where it is not known. */
  public double grownBytes() {
    double grown = currentOrNone().allocatedBytes() - baseOrNone().allocatedBytes();
    return Double.isNaN(grown) ? 0 : grown;
  }
}
