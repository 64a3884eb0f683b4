package dev.ridgeline.model.pass;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.grad.GradDevice;
import java.util.ArrayList;
import java.util.List;

/** The activations of a pass: planned together, closed together. */
public final class Workspace implements AutoCloseable {
  private static final String OWNER = "workspace";

  private final Device device;
  private final boolean trains;
  private final List<Tensor> planned = new ArrayList<>();

  public Workspace(Device device) {
    this(device, false);
  }

  private Workspace(Device device, boolean trains) {
    this.device = device;
    this.trains = trains;
  }

  /** For steps of a training, which use all of it every time. */
  public static Workspace ofSteps(Device device) {
    return new Workspace(device, true);
  }

  public Tensor numbers(int rows, int columns) {
    return keep(
        trains
            ? GradDevice.of(device).numbers(OWNER, rows, columns)
            : device.allocate(OWNER, TensorType.F32, rows, columns));
  }

  public Tensor attention(int longest) {
    return keep(device.attentionWorkspace(OWNER, longest));
  }

  /** Closes this with the others. */
  public Tensor keep(Tensor tensor) {
    planned.add(tensor);
    return tensor;
  }

  @Override
  public void close() {
    planned.forEach(Tensor::close);
  }
}
