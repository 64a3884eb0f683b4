package dev.ridgeline.tensor;

import dev.ridgeline.profiler.Profile;

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

  Profile.Pool reading(int threads, long spinNanos, long parkNanos) {
    return new Profile.Pool(
        "cpu", threads, regions, tasks, dispatchNanos, waitNanos, spinNanos, parkNanos);
  }
}
