package dev.ridgeline.profiler;

import java.util.Arrays;

/**
 * Where a task comes from: taken with {@link Profiler#handover()} by the thread that hands work
 * over, and given to {@link Profiler#enter} by the thread that does it. {@link Profiler#task} does
 * both; worker pools that may not allocate use the two halves.
 *
 * <p>A handover stays the same object for every call of the same scope on the same thread.
 */
public final class Handover {
  /** What is handed out while nothing is recorded. */
  static final Handover OFF = new Handover(null, null, -1);

  final Session session;
  final Place place;

  /** The lane that hands over, −1 for none. */
  final int lane;

  /** Moves on at each end of the region, so that tasks know which call of it they belong to. */
  private volatile int instance;

  private volatile Share[] shares = new Share[0];

  // Written by the region's own thread alone.
  long regions;
  long maxNanos;
  long meanNanos;

  Handover(Session session, Place place, int lane) {
    this.session = session;
    this.place = place;
    this.lane = lane;
  }

  /** What one lane did for this region during its current call. Written by that lane alone. */
  static final class Share {
    final Handover region;
    private int instance;
    private long busyNanos;

    Share(Handover region) {
      this.region = region;
    }

    /** Adds a task that began during {@code begunIn}; false when that call is over. */
    boolean add(int begunIn, long nanos) {
      if (region.instance != begunIn) return false;
      if (instance != begunIn) {
        instance = begunIn;
        busyNanos = 0;
      }
      busyNanos += nanos;
      return true;
    }
  }

  int instance() {
    return instance;
  }

  synchronized Share newShare() {
    Share share = new Share(this);
    share.instance = instance - 1;
    Share[] more = Arrays.copyOf(shares, shares.length + 1);
    more[shares.length] = share;
    shares = more;
    return share;
  }

  /** Called by the region's own thread when a call of it ends; tasks were joined by then. */
  void endInstance() {
    int current = instance;
    long max = 0;
    long sum = 0;
    int lanes = 0;
    for (Share share : shares) {
      if (share.instance == current) {
        max = Math.max(max, share.busyNanos);
        sum += share.busyNanos;
        lanes++;
      }
    }
    if (lanes > 0) {
      regions++;
      maxNanos += max;
      meanNanos += sum / lanes;
    }
    // Only this thread writes it.
    instance = current + 1;
  }
}
