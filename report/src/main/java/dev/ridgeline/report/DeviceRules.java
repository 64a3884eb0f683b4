package dev.ridgeline.report;

import static dev.ridgeline.report.Quantity.percent;
import static dev.ridgeline.report.Quantity.time;
import static dev.ridgeline.report.RuleHit.opportunity;

import dev.ridgeline.profiler.Profile.Device;
import java.util.stream.Stream;

/** How well devices are kept busy. */
final class DeviceRules {
  private static final double IDLE = 0.2;

  private DeviceRules() {}

  /** A device has nothing to do while threads get the next operation ready. */
  static Stream<RuleHit> idle(Evidence seen) {
    return seen.profile().devices().stream()
        .filter(device -> idleShare(device) >= IDLE)
        .map(
            device ->
                opportunity(
                        "idle-device",
                        "%s is idle for %s, %s of the time from its first operation to its last",
                        device.name(),
                        time(device.idleNanos()),
                        percent(idleShare(device)))
                    .advice("give it larger batches, or prepare the next one while it computes")
                    .wins(time(device.idleNanos()) + " at most")
                    .worth(device.idleNanos())
                    .about(device.name()));
  }

  static double idleShare(Device device) {
    double span = (double) device.busyNanos() + device.idleNanos();
    return span == 0 ? 0 : device.idleNanos() / span;
  }
}
