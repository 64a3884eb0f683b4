package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Profile.Work;

/**
 * Two tensors added or multiplied element by element, or a row added to every row.
 *
 * <p>Work: 1 FLOP per element; both operands read once and the result written once.
 */
final class Pointwise implements Kernel {
  /** What is done with two elements. */
  enum Operation {
    ADD("add"),
    MULTIPLY("multiply"),
    BROADCAST_ADD("broadcast add");

    private final String label;

    Operation(String label) {
      this.label = label;
    }
  }

  private final String name;
  private final Operation operation;
  private final float[][] x;
  private final float[][] y;
  private final float[][] z;

  private Pointwise(String name, Operation operation, int rows, int columns, long seed) {
    this.name = name;
    this.operation = operation;
    Data data = new Data(name, seed);
    this.x = data.rows(rows, columns, 1);
    this.y = data.rows(operation == Operation.BROADCAST_ADD ? 1 : rows, columns, 1);
    this.z = new float[rows][columns];
  }

  /** Two tensors of the same shape. */
  static Pointwise of(Operation operation, int elements, long seed) {
    return new Pointwise(
        operation.label + " " + Names.count(elements), operation, 1, elements, seed);
  }

  /** A row of {@code columns} added to each of {@code rows}, as a bias is. */
  static Pointwise broadcastAdd(int rows, int columns, long seed) {
    Operation operation = Operation.BROADCAST_ADD;
    return new Pointwise(operation.label + " " + rows, operation, rows, columns, seed);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String shape() {
    if (operation != Operation.BROADCAST_ADD) return x[0].length + " elements";
    return x.length + "×" + x[0].length + " + 1×" + x[0].length;
  }

  @Override
  public Work work() {
    long elements = (long) x.length * x[0].length;
    return new Work(8 * elements + 4L * y.length * y[0].length, elements);
  }

  @Override
  public void run() {
    switch (operation) {
      case ADD -> add(x[0], y[0], z[0]);
      case MULTIPLY -> multiply(x[0], y[0], z[0]);
      case BROADCAST_ADD -> {
        for (int i = 0; i < x.length; i++) add(x[i], y[0], z[i]);
      }
    }
  }

  private static void add(float[] x, float[] y, float[] z) {
    for (int j = 0; j < z.length; j++) z[j] = x[j] + y[j];
  }

  private static void multiply(float[] x, float[] y, float[] z) {
    for (int j = 0; j < z.length; j++) z[j] = x[j] * y[j];
  }

  @Override
  public float[][] output() {
    return z;
  }

  @Override
  public Reference reference(int row, int column) {
    double left = x[row][column];
    double right = y[operation == Operation.BROADCAST_ADD ? 0 : row][column];
    double value = operation == Operation.MULTIPLY ? left * right : left + right;
    return new Reference(value, Math.ulp((float) value));
  }
}
