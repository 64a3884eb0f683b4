package dev.ridgeline.tensor;

/**
 * A table of numbers in a device's memory, which only that device can look into.
 *
 * <p>It is planned for as many rows as will ever be needed; {@link #rows(int)} says how many are in
 * use, so that one workspace serves every batch. A view made by {@link #columns(int, int)} shares
 * numbers and rows in use with what it was made from.
 *
 * <p>Threads: not safe; one thread at a time computes with a tensor that changes. Weights never do,
 * so any number of threads may share them.
 */
public abstract class Tensor implements AutoCloseable {
  private final Device device;
  private final String owner;
  private final TensorType type;
  private final Layout layout;
  private final int capacity;
  private final int columns;

  /** What this is a view of, or null. */
  private final Tensor base;

  private int rows;

  /** A tensor of its own, with all rows in use. */
  protected Tensor(
      Device device, String owner, TensorType type, Layout layout, int capacity, int columns) {
    this.device = device;
    this.owner = owner;
    this.type = type;
    this.layout = layout;
    this.capacity = capacity;
    this.columns = columns;
    this.base = null;
    this.rows = capacity;
  }

  /** A view of some columns. */
  protected Tensor(Tensor base, int columns) {
    this.device = base.device;
    this.owner = base.owner;
    this.type = base.type;
    this.layout = base.layout;
    this.capacity = base.capacity;
    this.columns = columns;
    this.base = base.base == null ? base : base.base;
  }

  /** Where its numbers are. */
  public final Device device() {
    return device;
  }

  /** The name its memory is entered under in the profiler's ledger. */
  public final String owner() {
    return owner;
  }

  public final TensorType type() {
    return type;
  }

  public final Layout layout() {
    return layout;
  }

  /** The most rows that can be in use. */
  public final int capacity() {
    return capacity;
  }

  /** Numbers in a row; the inputs of a matrix. */
  public final int columns() {
    return columns;
  }

  /** Rows in use; the outputs of a matrix. */
  public final int rows() {
    return base == null ? rows : base.rows;
  }

  /** Numbers of all rows in use. */
  public final long numbers() {
    return (long) rows() * columns;
  }

  /** Says how many rows are in use, for this and all views that share its numbers. */
  public final Tensor rows(int inUse) {
    if (inUse < 0 || inUse > capacity) {
      throw new IllegalArgumentException(
          "%d rows of %s: it has room for %d".formatted(inUse, this, capacity));
    }
    if (base == null) rows = inUse;
    else base.rows = inUse;
    return this;
  }

  /** Columns {@code from} to {@code to − 1} of the same rows; make it once, when planning. */
  public abstract Tensor columns(int from, int to);

  /** Whether its memory is still there. */
  public abstract boolean open();

  /** Gives its memory back; a view gives back nothing. */
  @Override
  public abstract void close();

  /** {@code workspace 12×384 f32}. */
  @Override
  public String toString() {
    return "%s %s".formatted(owner, shape());
  }

  String shape() {
    return "%d×%d %s".formatted(rows(), columns, type.word());
  }
}
