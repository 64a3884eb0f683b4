package dev.ridgeline.cli.generate;

import dev.ridgeline.tensor.TensorType;

/** The types that keys and values may be kept in. */
enum CacheType {
  F16(TensorType.F16),
  F32(TensorType.F32);

  final TensorType type;

  CacheType(TensorType type) {
    this.type = type;
  }
}
