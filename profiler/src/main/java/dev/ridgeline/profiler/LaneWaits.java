package dev.ridgeline.profiler;

import java.util.Arrays;

/** What a lane was last seen doing, and how long its scopes were seen waiting and runnable. */
final class LaneWaits {
  /** Of a lane that nobody has looked at. */
  static final LaneWaits NONE = new LaneWaits();

  private static final int KINDS = WaitState.Kind.values().length;

  long version = -1;
  WaitState state = WaitState.RUNNING;
  WaitWatch.Holder holder;
  long waits = -1;
  long cpuNanos = -1;
  long cpuReadAt;

  /** By node: a time for each kind of waiting, and then one for being runnable. */
  private long[][] nanos = new long[0][];

  void add(int node, WaitState state, long more) {
    if (node >= nanos.length) nanos = Arrays.copyOf(nanos, Math.max(node + 1, 2 * nanos.length));
    if (nanos[node] == null) nanos[node] = new long[KINDS + 1];
    nanos[node][state == WaitState.RUNNING ? KINDS : state.kind().ordinal()] += more;
  }

  Profile.Waiting waiting(int node, long selfNanos) {
    return isSeen(node)
        ? fitted(Arrays.copyOf(nanos[node], KINDS), selfNanos)
        : Profile.Waiting.NONE;
  }

  void addTo(long[] kinds, int node) {
    if (isSeen(node)) for (int k = 0; k < KINDS; k++) kinds[k] += nanos[node][k];
  }

  long ranNanos(int node) {
    return isSeen(node) ? nanos[node][KINDS] : 0;
  }

  /** Times by kind, made smaller together where they are more than the self time. */
  static Profile.Waiting fitted(long[] kinds, long selfNanos) {
    long sum = 0;
    for (long nanos : kinds) sum += nanos;
    if (sum <= 0 || selfNanos <= 0) return Profile.Waiting.NONE;
    double part = sum <= selfNanos ? 1 : (double) selfNanos / sum;
    long[] kept = new long[kinds.length];
    long left = Math.min(sum, selfNanos);
    for (int i = 0; i < kinds.length; i++) {
      kept[i] = part == 1 ? kinds[i] : Math.min(left, (long) (kinds[i] * part));
      left -= kept[i];
    }
    return new Profile.Waiting(kept[0], kept[1], kept[2], kept[3], kept[4]);
  }

  /** Adds each kind to those of an array. */
  static void add(Profile.Waiting waiting, long[] kinds) {
    kinds[0] += waiting.lockNanos();
    kinds[1] += waiting.parkedNanos();
    kinds[2] += waiting.sleepNanos();
    kinds[3] += waiting.ioNanos();
    kinds[4] += waiting.otherNanos();
  }

  private boolean isSeen(int node) {
    return node < nanos.length && nanos[node] != null;
  }
}
