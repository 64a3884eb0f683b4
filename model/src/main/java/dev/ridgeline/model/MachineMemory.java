package dev.ridgeline.model;

import dev.ridgeline.tensor.Device;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a device could give a model if nobody else wanted any. A system that promises more than it
 * has kills whoever believes it, and not always the one who asked for too much: so a plan is
 * compared before anything is allocated.
 */
public final class MachineMemory {
  /** What stays in the file can be read again; it needs no room. */
  private static final String MAPPED = "weights (mapped)";

  /** Plans below this are not compared: they fit wherever a JVM does, and asking takes 30 ms. */
  private static final long SMALL = 256L << 20;

  private MachineMemory() {}

  /**
   * Refuses a plan that cannot come true.
   *
   * @param device that is to hold it
   * @param account bytes by owner, as a device that plans has them
   * @param adjustable whether other options would make do with less
   */
  public static void require(
      Device device, Path model, Map<String, Long> account, boolean adjustable) {
    if (needed(account) >= SMALL) require(model, account, adjustable, device.memory());
  }

  static void require(Path model, Map<String, Long> account, boolean adjustable, long most) {
    long needed = needed(account);
    if (needed <= most) return;
    Map<String, Long> taken = new TreeMap<>(account);
    taken.remove(MAPPED);
    boolean weightsFit = taken.getOrDefault("weights", 0L) <= most;
    throw new MemoryException(model, taken, needed, most, adjustable && weightsFit);
  }

  private static long needed(Map<String, Long> account) {
    long needed = 0;
    for (long bytes : account.values()) needed = Math.addExact(needed, bytes);
    return needed - account.getOrDefault(MAPPED, 0L);
  }
}
