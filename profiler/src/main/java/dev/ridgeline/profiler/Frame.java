package dev.ridgeline.profiler;

/**
 * An open scope. Close it on the thread that opened it, usually by try-with-resources.
 *
 * <p>Each thread's recorder holds one frame ready for each depth, so opening a scope allocates
 * nothing. Do not keep a frame after closing it: the next scope at that depth uses it again.
 */
public final class Frame implements AutoCloseable {
  /** What {@link Profiler#scope} hands out while nothing is recorded. */
  static final Frame OFF = new Frame(null, 0);

  final Recorder recorder;
  final int depth;

  /** Null while closed, and for a call that a limit keeps out of the tree. */
  LiveNode node;

  long startNanos;
  long startAllocated;
  // What the node had been declared before this call; kept only for raw events.
  long bytesBefore;
  long flopsBefore;
  // Only for tasks: whose share of which region this is.
  Handover.Share share;
  int regionInstance;

  Frame(Recorder recorder, int depth) {
    this.recorder = recorder;
    this.depth = depth;
  }

  /**
   * Declares work done inside this scope: bytes moved to or from memory and floating-point
   * operations. Calls add up, to {@link Long#MAX_VALUE} at most. Less than nothing cannot be done:
   * negative values are ignored.
   */
  public void work(long bytes, long flops) {
    LiveNode open = node;
    if (open != null) {
      open.bytes = add(open.bytes, bytes);
      open.flops = add(open.flops, flops);
    }
  }

  /**
   * Declares work done inside this scope with whole numbers: bytes moved to or from memory and
   * integer operations, which are kept apart from {@link #work} because machines do them at another
   * speed. A multiplication and an addition count as two.
   */
  public void integerWork(long bytes, long ops) {
    LiveNode open = node;
    if (open != null) {
      open.bytes = add(open.bytes, bytes);
      open.ops = add(open.ops, ops);
    }
  }

  /**
   * Declares work done inside this scope in one form of arithmetic, which is what it is measured
   * by. Of several forms in one scope besides f32 the last counts.
   */
  public void work(Arithmetic form, long bytes, long operations) {
    LiveNode open = node;
    if (open == null) return;
    if (form != Arithmetic.F32) open.form = form;
    if (form.integer()) integerWork(bytes, operations);
    else work(bytes, operations);
  }

  private static long add(long sum, long more) {
    if (more <= 0) return sum;
    long larger = sum + more;
    return larger < 0 ? Long.MAX_VALUE : larger;
  }

  /** Ends the scope, and with it everything inside that was left open. */
  @Override
  public void close() {
    Recorder mine = recorder;
    if (mine != null) mine.end(this);
  }
}
