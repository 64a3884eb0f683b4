package dev.ridgeline.model.imports;

/** How the files of others store a number, with their names for it. */
enum ElementType {
  F32(4, 1, "F32"),
  F16(2, 10, "F16"),
  BF16(2, 16, "BF16"),
  F64(8, 11, "F64"),
  I64(8, 7, "I64"),
  I32(4, 6, "I32"),
  I16(2, 5, "I16"),
  I8(1, 3, "I8"),
  U64(8, 13, "U64"),
  U32(4, 12, "U32"),
  U16(2, 4, "U16"),
  U8(1, 2, "U8"),
  BOOL(1, 9, "BOOL");

  private final int bytes;
  private final int onnx;
  private final String safetensors;

  ElementType(int bytes, int onnx, String safetensors) {
    this.bytes = bytes;
    this.onnx = onnx;
    this.safetensors = safetensors;
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
    for (ElementType type : values()) if (type.safetensors.equals(name)) return type;
    return null;
  }
}
