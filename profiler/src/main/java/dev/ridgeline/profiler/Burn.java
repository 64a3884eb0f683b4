package dev.ridgeline.profiler;

/**
 * Makes a scope slower by a known part of its time, so that tests can plant a slowdown and see
 * whether it is found. Only for tests: {@code -Dridgeline.burn=softmax:10} spends 10 % more in
 * every scope called {@code softmax}. The property is read once; without it nothing is left of this
 * in compiled code.
 */
final class Burn {
  private static final String GIVEN = System.getProperty("ridgeline.burn");
  private static final int COLON = GIVEN == null ? -1 : GIVEN.lastIndexOf(':');

  /** The scope's name, or null when nothing is to be burnt. */
  static final String SCOPE = COLON < 0 ? null : GIVEN.substring(0, COLON);

  private static final double PART =
      COLON < 0 ? 0 : Double.parseDouble(GIVEN.substring(COLON + 1)) / 100;

  private Burn() {}

  /** Spends time before a frame is closed. */
  static void inside(Frame frame) {
    LiveNode node = frame.node;
    if (node == null || !node.scope.name().equals(SCOPE)) return;
    long now = System.nanoTime();
    long until = now + (long) ((now - frame.startNanos) * PART);
    while (System.nanoTime() < until) Thread.onSpinWait();
  }
}
