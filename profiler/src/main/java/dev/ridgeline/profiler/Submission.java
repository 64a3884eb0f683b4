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

  /** Takes over what an open call has declared, since its thread does not do it. */
  void take(Frame frame) {
    LiveNode node = frame.node;
    boolean takes = node != null && frame.declared;
    bytes = takes ? frame.bytes : 0;
    flops = takes ? frame.flops : 0;
    ops = takes ? frame.ops : 0;
    form = takes ? frame.form : Arithmetic.F32;
    if (!takes) return;
    frame.declared = false;
    node.bytes -= bytes;
    node.flops -= flops;
    node.ops -= ops;
  }
}
