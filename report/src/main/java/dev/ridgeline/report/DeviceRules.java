package dev.ridgeline.report;

import dev.ridgeline.profiler.Profile.Device;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.Findings.Fired;
import java.util.stream.Stream;

/** What devices could do besides. */
final class DeviceRules {
  private static final double IDLE = 0.2;

  private DeviceRules() {}

  /** A device has nothing to do while threads get the next operation ready. */
  static Stream<Fired> idle(Evidence seen) {
    return seen.profile().devices().stream()
        .filter(device -> idleShare(device) >= IDLE)
        .map(
            device ->
                new Fired(
                    new Finding(
                        "idle-device",
                        Severity.OPPORTUNITY,
                        "%s has nothing to do for %s, %s of the time between its first operation"
                                .formatted(
                                    device.name(),
                                    Quantity.time(device.idleNanos()),
                                    Quantity.percent(idleShare(device)))
                            + " and its last",
                        "give it larger batches, or prepare the next one while it computes",
                        Quantity.time(device.idleNanos()) + " at most",
                        ""),
                    device.idleNanos(),
                    device.name()));
  }

  static double idleShare(Device device) {
    double span = (double) device.busyNanos() + device.idleNanos();
    return span == 0 ? 0 : device.idleNanos() / span;
  }
}
