package dev.ridgeline.tensor.gguf;

/** What a value of a GGUF file's metadata is; codes are those of the format. */
enum ValueType {
  U8(1),
  I8(1),
  U16(2),
  I16(2),
  U32(4),
  I32(4),
  F32(4),
  BOOL(1),
  STRING(8),
  ARRAY(12),
  U64(8),
  I64(8),
  F64(8);

  private static final ValueType[] ALL = values();

  /** What one takes at least: of a string its length, of an array its type and count. */
  private final int bytes;

  ValueType(int bytes) {
    this.bytes = bytes;
  }

  int bytes() {
    return bytes;
  }

  int code() {
    return ordinal();
  }

  boolean whole() {
    return switch (this) {
      case U8, I8, U16, I16, U32, I32, U64, I64 -> true;
      default -> false;
    };
  }

  boolean floating() {
    return this == F32 || this == F64;
  }

  String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** The type of a code, or null. */
  static ValueType ofCode(int code) {
    return code >= 0 && code < ALL.length ? ALL[code] : null;
  }
}
