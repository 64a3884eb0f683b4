package dev.ridgeline.tensor;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.Frame;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;

/**
 * What all operations of {@link Ops} and {@link dev.ridgeline.tensor.grad.Grad} have: a name for
 * messages, a scope for profiles, and the checks of operands, since nothing below checks. What a
 * check says is put together only when something is wrong.
 */
public record Operation(String name, Scope scope) {
  /** An operation whose scope has its name. */
  public static Operation of(String name) {
    return of(name, name);
  }

  /** An operation that profiles know by a name it shares with others. */
  public static Operation of(String name, String scope) {
    return new Operation(name, Scope.of(scope));
  }

  /** Opens the scope and declares the bytes that have to move and the arithmetic on f32. */
  public Frame begin(long bytes, long flops) {
    return begin(Arithmetic.F32, bytes, flops);
  }

  /** The same for any form of arithmetic. */
  public Frame begin(Arithmetic form, long bytes, long operations) {
    Frame frame = Profiler.scope(scope);
    frame.work(form, bytes, operations);
    return frame;
  }

  // Single operands.

  /** An operand that lies as it must, is open, and is on the device. */
  public void usable(Device device, String role, Tensor tensor, Layout layout) {
    if (tensor.layout() != layout) {
      throw wrong("%s has layout %s, not %s".formatted(role, tensor.layout(), layout), tensor);
    }
    if (!tensor.open()) {
      throw new IllegalStateException("%s: %s (%s) is closed".formatted(name, role, tensor));
    }
    if (!device.reaches(tensor)) {
      throw wrong("%s is on another device than %s".formatted(role, device.name()), tensor);
    }
  }

  /** Rows of f32. */
  public void operand(Device device, String role, Tensor tensor) {
    usable(device, role, tensor, Layout.ROWS);
    if (tensor.type() != TensorType.F32) throw wrong(role + " is not f32", tensor);
  }

  /** An integer per row. */
  public void integers(Device device, String role, Tensor tensor) {
    usable(device, role, tensor, Layout.ROWS);
    if (tensor.type() != TensorType.I32 || tensor.columns() != 1) {
      throw wrong(role + " is not one i32 per row", tensor);
    }
  }

  // Shapes that belong together.

  /** Rows of f32 of the shape of x. */
  public void same(Device device, String role, Tensor tensor, Tensor x) {
    operand(device, "x", x);
    operand(device, role, tensor);
    if (tensor.columns() != x.columns() || tensor.rows() != x.rows()) {
      throw wrong(role + " has another shape", tensor, x);
    }
  }

  /** Gives a result of f32 the shape of x. */
  public void result(Device device, String role, Tensor out, Tensor x) {
    operand(device, role, out);
    operand(device, "x", x);
    if (out.columns() != x.columns()) throw wrong(role + " has other columns", out, x);
    fit(out, x.rows(), x);
  }

  /** Puts so many rows of a result to use. */
  public void fit(Tensor out, int rows, Tensor x) {
    if (rows > out.capacity()) {
      throw wrong("a result has room for %d rows".formatted(out.capacity()), out, x);
    }
    out.rows(rows);
  }

  /** Heads side by side. */
  public void heads(Tensor x, int heads) {
    if (heads < 1 || x.columns() % heads != 0) {
      throw wrong("columns do not divide into %d heads".formatted(heads), x);
    }
  }

  /** Heads of which some share a key head, and what they see. */
  public void shared(Heads heads, Tensor q, Tensor k) {
    if (heads.keyHeads() < 1 || heads.count() % heads.keyHeads() != 0) {
      String what = "%d heads do not share %d key heads";
      throw wrong(what.formatted(heads.count(), heads.keyHeads()), q, k);
    }
    if (heads.before() < 0 || heads.after() < 0) throw wrong("a window below 0", q);
  }

  /** A row for each token of the texts. */
  public void rows(Sequences texts, Tensor x) {
    if (x.rows() != texts.rows()) {
      throw wrong("rows are not the %d of the texts".formatted(texts.rows()), x);
    }
  }

  /** Queries, keys and values of whole texts, heads side by side. */
  public void whole(
      Device device, Tensor q, Tensor k, Tensor v, Sequences texts, Heads heads, Tensor workspace) {
    operand(device, "q", q);
    operand(device, "k", k);
    operand(device, "v", v);
    operand(device, "workspace", workspace);
    heads(q, heads.count());
    heads(k, heads.keyHeads());
    heads(v, heads.keyHeads());
    shared(heads, q, k);
    if (q.columns() / heads.count() != k.columns() / heads.keyHeads()) {
      throw wrong("widths differ", q, k);
    }
    rows(texts, q);
    rows(texts, k);
    rows(texts, v);
    for (int i = 0; i < texts.count(); i++) {
      if (texts.past(i) != 0) throw wrong("text %d has tokens in a cache".formatted(i), q);
    }
  }

  /** Begins to turn the heads of rows by angles of their positions, forth or back. */
  public Frame turn(Device device, Tensor x, int heads, Tensor positions, Tensor angles) {
    operand(device, "x", x);
    heads(x, heads);
    integers(device, "positions", positions);
    operand(device, "angles", angles);
    if (positions.rows() != x.rows()) throw wrong("one position per row is needed", x, positions);
    if ((long) angles.columns() * heads > x.columns() || angles.columns() % 2 != 0) {
      throw wrong(heads + " heads are not as wide as the angles", x, angles);
    }
    long turned = (long) x.rows() * heads * angles.columns();
    return begin(8 * turned + 4L * x.rows() * (angles.columns() + 1), 3 * turned);
  }

  public IllegalArgumentException wrong(String what, Tensor... tensors) {
    StringBuilder message = new StringBuilder(name).append(": ").append(what);
    for (int i = 0; i < tensors.length; i++) {
      message.append(i == 0 ? "; " : ", ").append(tensors[i]);
    }
    return new IllegalArgumentException(message.toString());
  }
}
