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
  // What this call itself has declared, which a device may take over.
  boolean declared;
  long bytes;
  long flops;
  long ops;
  Arithmetic form;
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
    declare(Arithmetic.F32, bytes, flops, 0);
  }

  /**
   * Declares work done inside this scope with whole numbers: bytes moved to or from memory and
   * integer operations, which are kept apart from {@link #work} because machines do them at another
   * speed. A multiplication and an addition count as two.
   */
  public void integerWork(long bytes, long ops) {
    declare(Arithmetic.F32, bytes, 0, ops);
  }

  /**
   * Declares work done inside this scope in one form of arithmetic, which is what it is measured
   * by. Of several forms in one scope besides f32 the last counts.
   */
  public void work(Arithmetic form, long bytes, long operations) {
    declare(form, bytes, form.integer() ? 0 : operations, form.integer() ? operations : 0);
  }

  /**
   * Declares a part of the work that the call which handed this task over has declared: that of the
   * units that were done here.
   */
  public void workOf(Handover from, double part) {
    if (node != null) from.declare(this, part);
  }

  private void declare(Arithmetic how, long moreBytes, long moreFlops, long moreOps) {
    LiveNode open = node;
    if (open == null) return;
    if (!declared) {
      declared = true;
      bytes = flops = ops = 0;
      form = Arithmetic.F32;
    }
    if (how != Arithmetic.F32) open.form = form = how;
    bytes += added(open.bytes, moreBytes);
    open.bytes += added(open.bytes, moreBytes);
    flops += added(open.flops, moreFlops);
    open.flops += added(open.flops, moreFlops);
    ops += added(open.ops, moreOps);
    open.ops += added(open.ops, moreOps);
  }

  /** What is added to a sum: nothing less than nothing, and no more than it can hold. */
  private static long added(long sum, long more) {
    return Math.clamp(more, 0, Long.MAX_VALUE - sum);
  }

  /** Ends the scope, and with it everything inside that was left open. */
  @Override
  public void close() {
    Recorder mine = recorder;
    if (mine != null) mine.end(this);
  }
}
