package dev.ridgeline.profiler;

/**
 * Operations that a device completes one after the other, later than the calls that asked for them
 * and by a clock of its own. In a session each queue is a {@link Profile.Device}: its time is kept
 * apart from that of threads, under the scopes in which its operations were asked for.
 *
 * <p>Threads: one at a time reports what is done, in the order in which it was.
 */
public final class DeviceQueue {
  private final String name;
  private DeviceRecording recording;

  /**
   * A queue of a device.
   *
   * @param name as profiles show it: {@code cuda:0}
   */
  public DeviceQueue(String name) {
    this.name = name;
  }

  /**
   * Records an operation that is done.
   *
   * @param beginNanos when the device began with it, on the clock of {@link System#nanoTime}
   * @param endNanos when it was done
   */
  public void done(Submission operation, long beginNanos, long endNanos) {
    Session session = operation.session;
    if (session == null) return;
    operation.session = null;
    if (recording == null || recording.session != session) {
      recording = new DeviceRecording(session, name);
      session.add(recording);
    }
    recording.add(operation, beginNanos, endNanos);
  }
}
