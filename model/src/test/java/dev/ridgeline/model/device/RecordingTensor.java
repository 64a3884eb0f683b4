package dev.ridgeline.model.device;

import dev.ridgeline.tensor.Tensor;

/** A tensor of the processor that only {@link RecordingDevice}'s thread looks into. */
final class RecordingTensor extends Tensor {
  final Tensor inner;
  private final RecordingDevice device;

  RecordingTensor(RecordingDevice device, Tensor inner) {
    super(device, inner.owner(), inner.type(), inner.layout(), inner.capacity(), inner.columns());
    this.device = device;
    this.inner = inner;
  }

  private RecordingTensor(RecordingTensor base, Tensor inner) {
    super(base, inner.columns());
    this.device = base.device;
    this.inner = inner;
  }

  @Override
  public Tensor columns(int from, int to) {
    return new RecordingTensor(this, inner.columns(from, to));
  }

  @Override
  public boolean open() {
    return inner.open();
  }

  @Override
  public void close() {
    device.await();
    inner.close();
  }
}
