package dev.ridgeline.profiler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Worker pools that tell what they do. They belong to the process and count from its beginning; a
 * session has what was added since it started.
 */
final class Pools {
  private static final List<Supplier<Profile.Pool>> METERS = new ArrayList<>();
  private static final Map<Supplier<Profile.Pool>, Profile.Pool> BEFORE = new HashMap<>();

  private Pools() {}

  static void add(Supplier<Profile.Pool> meter) {
    synchronized (METERS) {
      METERS.add(meter);
    }
  }

  static void startSession() {
    synchronized (METERS) {
      for (Supplier<Profile.Pool> meter : METERS) BEFORE.put(meter, meter.get());
    }
  }

  /** Every pool that did something during the session. */
  static List<Profile.Pool> entries() {
    List<Profile.Pool> pools = new ArrayList<>();
    synchronized (METERS) {
      for (Supplier<Profile.Pool> meter : METERS) {
        Profile.Pool now = meter.get();
        // One that was made during the session had done nothing before.
        Profile.Pool before = BEFORE.get(meter);
        if (before != null) now = now.since(before);
        if (now.regions() > 0) pools.add(now);
      }
    }
    return pools;
  }
}
