package dev.ridgeline.profiler;

/**
 * What a session records, and its limits.
 *
 * @param level how much is recorded
 * @param traceEvents raw events kept per thread at {@link Level#TRACE}, and 64 times as many over
 *     all threads; the oldest are dropped
 * @param maxNodes nodes in one thread's tree; calls beyond are counted as suppressed
 * @param calibrate whether the recorder's own cost is measured at the first start at this level
 * @param sampling whether stacks are sampled, too
 */
public record Options(
    Level level, int traceEvents, int maxNodes, boolean calibrate, Sampling sampling) {
  public Options {
    if (traceEvents < 1 || traceEvents > 1 << 24) {
      throw new IllegalArgumentException("traceEvents " + traceEvents + ": 1 to 16,777,216");
    }
    if (maxNodes < 1) throw new IllegalArgumentException("maxNodes " + maxNodes + ": at least 1");
  }

  /** The defaults at a level: 32,768 events and 50,000 nodes a thread, calibrated. */
  public static Options of(Level level) {
    return new Options(level, 1 << 15, 50_000, true, Sampling.NONE);
  }

  public Options withTraceEvents(int events) {
    return new Options(level, events, maxNodes, calibrate, sampling);
  }

  public Options withMaxNodes(int nodes) {
    return new Options(level, traceEvents, nodes, calibrate, sampling);
  }

  public Options withoutCalibration() {
    return new Options(level, traceEvents, maxNodes, false, sampling);
  }

  public Options withSampling(Sampling how) {
    return new Options(level, traceEvents, maxNodes, calibrate, how);
  }
}
