package dev.ridgeline.tensor.cpu;

import dev.ridgeline.profiler.Owned;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.LargePages;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A tensor in native memory. */
final class CpuTensor extends Tensor {
  /** Of the first number. */
  final long address;

  /** Numbers from one row to the next. */
  final int stride;

  /** Of products with a matrix. */
  final Precision precision;

  private final MemorySegment memory;

  /** What gives the memory back; null for memory of somebody else. */
  private final Arena arena;

  private final Owned owned;

  /** What a tensor is, wherever it lies. */
  record Form(
      String owner, TensorType type, Layout layout, Precision precision, int rows, int columns) {
    Form(String owner, TensorType type, Layout layout, int rows, int columns) {
      this(owner, type, layout, Precision.USUAL, rows, columns);
    }

    Form {
      if (rows < 1 || columns < 1) {
        throw new IllegalArgumentException("%s: a tensor of %d×%d".formatted(owner, rows, columns));
      }
    }
  }

  private CpuTensor(
      Device device, Form form, MemorySegment memory, long address, Arena arena, Owned owned) {
    super(device, form.owner, form.type, form.layout, form.rows, form.columns);
    this.memory = memory;
    this.address = address;
    this.stride = form.columns;
    this.precision = form.precision;
    this.arena = arena;
    this.owned = owned;
  }

  private CpuTensor(CpuTensor base, int from, int to) {
    super(base, to - from);
    this.memory = base.memory;
    this.address = base.address + from * 4L;
    this.stride = base.stride;
    this.precision = base.precision;
    this.arena = null;
    this.owned = null;
  }

  /** Some of its numbers, as rows of their own. */
  CpuTensor view(Layout layout, long from, int rows, int columns) {
    boolean vector = layout == Layout.VECTOR && rows == 1;
    if (!dense() || type() != TensorType.F32 || layout != Layout.ROWS && !vector) {
      throw new IllegalArgumentException("a view of %s as %s".formatted(this, layout));
    }
    Form form = new Form(owner(), type(), layout, rows, columns);
    long at = numbers(from, (long) rows * columns);
    return new CpuTensor(device(), form, memory, at, null, null);
  }

  /** Where some of its numbers lie, one after the other. */
  long numbers(long from, long count) {
    long all = (long) capacity() * columns();
    if (!dense() || type() != TensorType.F32 || from < 0 || count < 0 || from > all - count) {
      throw new IllegalArgumentException(
          "numbers %d to %d of %s".formatted(from, from + count, this));
    }
    if (!open()) throw new IllegalStateException("%s is closed".formatted(this));
    return address + 4 * from;
  }

  /**
   * Memory of its own, all zero.
   *
   * @param all whether all of it is used again and again, so that it is to lie in large pages
   */
  static CpuTensor make(CpuDevice device, Form form, long bytes, boolean all) {
    long rounded = Math.addExact(bytes, Memory.ALIGNMENT - 1) & -Memory.ALIGNMENT;
    if (device.plans()) {
      Owned none = device.owned(form.owner, rounded);
      return new CpuTensor(device, form, MemorySegment.NULL, 0, null, none);
    }
    Arena arena = Arena.ofShared();
    try {
      MemorySegment memory =
          all ? LargePages.share(rounded, arena) : LargePages.allocate(rounded, arena);
      Owned owned = device.owned(form.owner, rounded);
      return new CpuTensor(device, form, memory, memory.address(), arena, owned);
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
  }

  /** Memory that a file is mapped to. */
  static CpuTensor mapped(CpuDevice device, Form form, MemorySegment at) {
    Owned owned = device.owned(form.owner, at.byteSize());
    return new CpuTensor(device, form, at, at.address(), null, owned);
  }

  /** Whether a matrix lies as in its file; else it is packed. */
  boolean stored() {
    return arena == null;
  }

  @Override
  public Tensor columns(int from, int to) {
    if (layout() != Layout.ROWS || type().quantized() || type().blockBytes() != 4) {
      throw new IllegalArgumentException("columns of %s, which has none".formatted(this));
    }
    if (from < 0 || from >= to || to > columns()) {
      throw new IllegalArgumentException("columns %d to %d of %s".formatted(from, to, this));
    }
    return new CpuTensor(this, from, to);
  }

  @Override
  public boolean open() {
    return memory.scope().isAlive();
  }

  @Override
  public void close() {
    if (owned != null) owned.close();
    if (arena != null && arena.scope().isAlive()) arena.close();
  }

  /** Whether rows follow each other without a gap. */
  boolean dense() {
    return stride == columns();
  }

  /** Address of a row of f32 or i32. */
  long row(int row) {
    return address + 4L * stride * row;
  }
}
