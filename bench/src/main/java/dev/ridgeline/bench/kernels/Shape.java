package dev.ridgeline.bench.kernels;

import dev.ridgeline.tensor.TensorType;

/**
 * A product: so many rows of inputs meet a matrix.
 *
 * @param type of the weights
 */
record Shape(TensorType type, int rows, int inputs, int outputs) {
  static Shape square(TensorType type, int size) {
    return new Shape(type, size, size, size);
  }

  /** Reads {@code f32:768} or {@code q8_0:512x2048x5632}, rows × inputs × outputs; or null. */
  static Shape parse(String word) {
    if (!word.matches("\\w+:\\d{1,5}(x\\d{1,5}x\\d{1,5})?")) return null;
    String[] parts = word.split(":|(?<=\\d)x(?=\\d)");
    for (TensorType type : TensorType.values()) {
      if (type == TensorType.I32 || !type.word().equals(parts[0])) continue;
      int rows = Integer.parseInt(parts[1]);
      int inputs = parts.length == 2 ? rows : Integer.parseInt(parts[2]);
      int outputs = parts.length == 2 ? rows : Integer.parseInt(parts[3]);
      boolean possible = rows > 0 && inputs > 0 && outputs > 0 && inputs % type.blockSize() == 0;
      return possible ? new Shape(type, rows, inputs, outputs) : null;
    }
    return null;
  }

  long weightBytes() {
    return type.bytes((long) inputs * outputs);
  }

  /** A multiplication and an addition for each weight and row. */
  double operations() {
    return 2.0 * rows * inputs * outputs;
  }

  Shape withRows(int count) {
    return new Shape(type, count, inputs, outputs);
  }

  @Override
  public String toString() {
    return "%s %d×%d×%d".formatted(type.word(), rows, inputs, outputs);
  }
}
