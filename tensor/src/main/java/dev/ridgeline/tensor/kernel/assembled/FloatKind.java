package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.TensorType;

/** What weights that are not quantized are stored as. Products widen them to f32. */
enum FloatKind {
  F32(TensorType.F32),
  F16(TensorType.F16),
  BF16(TensorType.BF16);

  final TensorType type;

  FloatKind(TensorType type) {
    this.type = type;
  }

  /** The kind of a type's weights, which must not be quantized. */
  static FloatKind of(TensorType type) {
    return valueOf(type.name());
  }

  /** Bytes of a number. */
  int bytes() {
    return type.blockBytes();
  }

  /** Whether a number has 16 bits. */
  boolean half() {
    return this != F32;
  }

  String word() {
    return type.word();
  }
}
