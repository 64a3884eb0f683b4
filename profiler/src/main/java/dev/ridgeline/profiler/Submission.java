package dev.ridgeline.profiler;

/**
 * An operation that a device was told to do: where in the program that was, and the work it was
 * declared to be. Filled by {@link Profiler#submit} on the thread that tells the device, given to
 * {@link DeviceQueue#done} once the device is done.
 *
 * <p>Devices keep as many as they have operations under way and use them again, so that nothing is
 * allocated. One belongs to one thread at a time.
 */
public final class Submission {
  /** The session that was recording, or null: what nobody saw begin is not recorded. */
  Session session;

  Place place;
  long bytes;
  long flops;
  long ops;
  Arithmetic form;
}
