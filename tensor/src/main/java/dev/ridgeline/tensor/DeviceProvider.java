package dev.ridgeline.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Opens devices of one kind; found by {@link ServiceLoader}. */
public interface DeviceProvider {
  /** What users call it: {@code cpu}. */
  String name();

  /**
   * Opens a device.
   *
   * @param workers threads of this process that it may use, at least 1
   * @param repack whether matrices are copied; else they stay in their file
   */
  Device open(int workers, boolean repack);

  /**
   * A device like the opened one, but without memory: its tensors hold nothing, what they would
   * take is added to an account, and its operations must not be called.
   *
   * @param account bytes by owner, as the profiler's ledger would have them
   */
  Device plan(int workers, boolean repack, Map<String, Long> account);

  /** Every provider there is. */
  static List<DeviceProvider> all() {
    List<DeviceProvider> all = new ArrayList<>();
    for (DeviceProvider each : loader()) all.add(each);
    return all;
  }

  private static ServiceLoader<DeviceProvider> loader() {
    return ServiceLoader.load(DeviceProvider.class, DeviceProvider.class.getClassLoader());
  }

  /** The provider of this name. */
  static DeviceProvider named(String name) {
    // One after the other: a start need not load those after the one it wants.
    for (DeviceProvider provider : loader()) if (provider.name().equals(name)) return provider;
    throw new IllegalArgumentException(
        "there is no device %s; there are %s"
            .formatted(name, all().stream().map(DeviceProvider::name).sorted().toList()));
  }
}
