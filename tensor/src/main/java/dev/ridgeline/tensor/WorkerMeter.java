package dev.ridgeline.tensor;

/** What the pool has done since the process began. Written by the pool's owner alone. */
final class WorkerMeter {
  private volatile long regions;
  private volatile long tasks;
  private volatile long dispatchNanos;
  private volatile long waitNanos;

  void region(int parts, long dispatched, long waited) {
    regions++;
    tasks += parts;
    dispatchNanos += dispatched;
    waitNanos += waited;
  }

  long regions() {
    return regions;
  }

  long tasks() {
    return tasks;
  }

  long dispatchNanos() {
    return dispatchNanos;
  }

  long waitNanos() {
    return waitNanos;
  }
}
