package dev.ridgeline.model.imports;

/** How the files of others store a number, with the names that safetensors has for it. */
enum ElementType {
  F32(4, 1),
  F16(2, 10),
  BF16(2, 16),
  F64(8, 11),
  I64(8, 7),
  I32(4, 6),
  I16(2, 5),
  I8(1, 3),
  U64(8, 13),
  U32(4, 12),
  U16(2, 4),
  U8(1, 2),
  BOOL(1, 9);

  private final int bytes;
  private final int onnx;

  ElementType(int bytes, int onnx) {
    this.bytes = bytes;
    this.onnx = onnx;
  }

  int bytes() {
    return bytes;
  }

  /** Whether a weight can be made of it. */
  boolean real() {
    return this == F32 || this == F16 || this == BF16;
  }

  /** The type of this number in an ONNX file, or null. */
  static ElementType ofOnnx(long code) {
    for (ElementType type : values()) if (type.onnx == code) return type;
    return null;
  }

  /** The type of this name in a safetensors file, or null. */
  static ElementType ofSafetensors(String name) {
    for (ElementType type : values()) if (type.name().equals(name)) return type;
    return null;
  }
}
