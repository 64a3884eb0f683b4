package dev.ridgeline.tensor.grad;

import dev.ridgeline.tensor.Device;

/** A device that can train. */
public interface TrainingDevice extends Device {
  /** What it trains with, for {@link Grad} alone. */
  GradDevice training();
}
