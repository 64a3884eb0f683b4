package dev.ridgeline.model.device;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.tensor.DeviceProvider;
import java.util.Map;

/** Opens {@link RecordingDevice}s, by name as any other. */
public final class RecordingProvider implements DeviceProvider {
  static final DeviceChoice CHOICE = DeviceChoice.DEFAULT.withName("recording");

  @Override
  public String name() {
    return CHOICE.name();
  }

  @Override
  public Device open(int workers, boolean repack) {
    return new RecordingDevice(new DeviceChoice(name(), workers, repack));
  }

  @Override
  public Device plan(int workers, boolean repack, Map<String, Long> account) {
    return new DeviceChoice(DeviceChoice.CPU, workers, repack).plan(account);
  }
}
