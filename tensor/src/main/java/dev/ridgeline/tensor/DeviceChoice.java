package dev.ridgeline.tensor;

import java.util.Map;

/**
 * Which device computes, and how: all that users choose of it.
 *
 * @param name as {@link DeviceProvider#name} has it
 * @param workers threads of this process that it may use, 0 for one per core
 * @param repack whether matrices are copied into the layout of its kernels; else they stay in the
 *     file, which takes less memory and far more time, and changes no result
 */
public record DeviceChoice(String name, int workers, boolean repack) {
  /** What every machine has. */
  public static final String CPU = "cpu";

  public static final DeviceChoice DEFAULT = new DeviceChoice(CPU, 0, true);

  public DeviceChoice withName(String next) {
    return new DeviceChoice(next, workers, repack);
  }

  public DeviceChoice withWorkers(int next) {
    return new DeviceChoice(name, next, repack);
  }

  /** With matrices that stay in the file. */
  public DeviceChoice withoutRepacking() {
    return new DeviceChoice(name, workers, false);
  }

  /** Opens it; an {@link IllegalArgumentException} says which devices there are. */
  public Device open() {
    return DeviceProvider.named(name).open(threads(), repack);
  }

  /**
   * A device like it without memory: {@link DeviceProvider#plan}.
   *
   * @param account bytes by owner
   */
  public Device plan(Map<String, Long> account) {
    return DeviceProvider.named(name).plan(threads(), repack, account);
  }

  private int threads() {
    return workers == 0 ? Workers.cpus() : workers;
  }
}
