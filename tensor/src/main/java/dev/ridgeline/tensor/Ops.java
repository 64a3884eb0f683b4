package dev.ridgeline.tensor;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;

/**
 * The operations that models are written in.
 *
 * <p>Each checks its shapes once, since nothing below does; opens the scope of its name, and states
 * the bytes that have to move and the arithmetic that has to be done, as shapes and types give
 * them; and hands the work to the device. Rows in use of the result are set from the operands. A
 * shape that does not fit is an {@link IllegalArgumentException} that names operation and shapes.
 *
 * <p>Arithmetic of a function of one number is counted as the operations of a plain polynomial for
 * it, so that the figures of different kernels can be compared.
 */
public final class Ops {
  private static final boolean FUSES = Ablation.FUSION.on();

  private static final Scope ROWS = Scope.of("rows");
  private static final Scope MATMUL = Scope.of("matmul");
  private static final Scope ADD = Scope.of("add");
  private static final Scope MULTIPLY = Scope.of("multiply");
  private static final Scope SCALE = Scope.of("scale");
  private static final Scope LAYER_NORM = Scope.of("layernorm");
  private static final Scope RMS_NORM = Scope.of("rmsnorm");
  private static final Scope GELU = Scope.of("gelu");
  private static final Scope GEGLU = Scope.of("geglu");
  private static final Scope SWIGLU = Scope.of("swiglu");
  private static final Scope SOFTMAX = Scope.of("softmax");
  private static final Scope ROPE = Scope.of("rope");

  /** Not attention: that is what models call what they do before and after, too. */
  private static final Scope HEADS = Scope.of("heads");

  private static final Scope STORE = Scope.of("store");
  private static final Scope COPY_PAGE = Scope.of("copy page");
  private static final Scope POOL = Scope.of("pool");
  private static final Scope NORMALIZE = Scope.of("normalize");

  /** Operations per number. */
  private static final int LAYER_NORM_FLOPS = 8;

  private static final int RMS_NORM_FLOPS = 4;
  private static final int GELU_FLOPS = 20;
  private static final int SILU_FLOPS = 16;

  /** Of a score between its product and its share of the mix. */
  public static final int SOFTMAX_FLOPS = 12;

  private final Device device;

  public Ops(Device device) {
    this.device = device;
  }

  public Device device() {
    return device;
  }

  /** Looks up a row of the table for each id. */
  public void rows(Tensor out, Tensor table, Tensor ids) {
    String op = "rows";
    result(op, out);
    usable(op, "table", table, Layout.ROWS);
    integers(op, "ids", ids);
    if (out.columns() != table.columns()) throw wrong(op, "columns differ", out, table);
    fit(op, out, ids.rows(), ids);
    try (var scope = Profiler.scope(ROWS)) {
      long count = numbers(out);
      scope.work(table.type().bytes(count) + 4 * count + 4L * ids.rows(), 0);
      device.rows(out, table, ids);
    }
  }

  /** {@code out = x · matrixᵀ + bias}: a row of the matrix per output. */
  public void matmul(Tensor out, Tensor x, Tensor matrix, Tensor biasOrNull) {
    check(out, x, matrix, biasOrNull);
    try (var scope = Profiler.scope(MATMUL)) {
      long bytes = 4 * numbers(x) + bytes(out, matrix, biasOrNull);
      long operations = operations(out, matrix, biasOrNull);
      scope.work(device.form(matrix.type(), x.rows()), bytes, operations);
      device.matmul(out, x, matrix, biasOrNull);
    }
  }

  /**
   * The same with several matrices: what is made of x for one of them serves all. Those that lie as
   * {@link Layout#FINE_MATRIX} are best the first.
   */
  public void matmul(Tensor x, Projection... all) {
    Arithmetic form = device.form(all[0].matrix().type(), x.rows());
    for (Projection each : all) {
      check(each.out(), x, each.matrix(), each.biasOrNull());
      if (!FUSES || device.form(each.matrix().type(), x.rows()) != form) {
        oneByOne(x, all);
        return;
      }
    }
    try (var scope = Profiler.scope(MATMUL)) {
      long bytes = 4 * numbers(x);
      long operations = 0;
      for (Projection each : all) {
        bytes += bytes(each.out(), each.matrix(), each.biasOrNull());
        operations += operations(each.out(), each.matrix(), each.biasOrNull());
      }
      scope.work(form, bytes, operations);
      device.matmul(x, all);
    }
  }

  /** Different forms of arithmetic are different work. */
  private void oneByOne(Tensor x, Projection[] all) {
    for (Projection each : all) matmul(each.out(), x, each.matrix(), each.biasOrNull());
  }

  private void check(Tensor out, Tensor x, Tensor matrix, Tensor biasOrNull) {
    String op = "matmul";
    result(op, out);
    operand(op, "x", x);
    usable(op, "matrix", matrix, matrix.layout().matrix() ? matrix.layout() : Layout.MATRIX);
    if (x.columns() != matrix.columns()) {
      throw wrong(op, "x has not the columns of the matrix", out, x, matrix);
    }
    if (out.columns() != matrix.rows()) {
      throw wrong(op, "out has not a column per row of the matrix", out, x, matrix);
    }
    if (out == x) throw wrong(op, "out may not be x", out, x, matrix);
    if (biasOrNull != null) vector(op, "bias", biasOrNull, out);
    fit(op, out, x.rows(), x);
  }

  private static long bytes(Tensor out, Tensor matrix, Tensor biasOrNull) {
    long bias = biasOrNull == null ? 0 : matrix.rows();
    return matrix.type().bytes((long) matrix.columns() * matrix.rows()) + 4 * (numbers(out) + bias);
  }

  private static long operations(Tensor out, Tensor matrix, Tensor biasOrNull) {
    return numbers(out) * (2L * matrix.columns() + (biasOrNull == null ? 0 : 1));
  }

  /** {@code out = a + b}; b may be one row or vector, which is added to every row. */
  public void add(Tensor out, Tensor a, Tensor b) {
    String op = "add";
    result(op, out);
    operand(op, "a", a);
    if (b.layout() == Layout.VECTOR) vector(op, "b", b, a);
    else operand(op, "b", b);
    if (a.columns() != b.columns() || a.columns() != out.columns()) {
      throw wrong(op, "columns differ", out, a, b);
    }
    if (b.rows() != a.rows() && b.rows() != 1) throw wrong(op, "rows differ", out, a, b);
    fit(op, out, a.rows(), a);
    try (var scope = Profiler.scope(ADD)) {
      scope.work(4 * (2 * numbers(a) + numbers(b)), numbers(a));
      device.add(out, a, b);
    }
  }

  /** {@code out = a · b}, number by number; out may be either. */
  public void multiply(Tensor out, Tensor a, Tensor b) {
    pairwise("multiply", out, "a", a, "b", b);
    try (var scope = Profiler.scope(MULTIPLY)) {
      scope.work(12 * numbers(a), numbers(a));
      device.multiply(out, a, b);
    }
  }

  /** {@code out = a · factor}. */
  public void scale(Tensor out, Tensor a, float factor) {
    same("scale", out, a);
    try (var scope = Profiler.scope(SCALE)) {
      scope.work(8 * numbers(a), numbers(a));
      device.scale(out, a, factor);
    }
  }

  /** Each row to mean 0 and variance 1, then weight and bias; out may be x. */
  public void layerNorm(Tensor out, Tensor x, Tensor weight, Tensor bias, float epsilon) {
    same("layernorm", out, x);
    vector("layernorm", "weight", weight, x);
    vector("layernorm", "bias", bias, x);
    try (var scope = Profiler.scope(LAYER_NORM)) {
      scope.work(8 * (numbers(x) + x.columns()), LAYER_NORM_FLOPS * numbers(x));
      device.layerNorm(out, x, null, weight, bias, epsilon);
    }
  }

  /** The same of {@code x + y}; out may be either. */
  public void addLayerNorm(
      Tensor out, Tensor x, Tensor y, Tensor weight, Tensor bias, float epsilon) {
    same("layernorm", out, x);
    same("layernorm", out, y);
    vector("layernorm", "weight", weight, x);
    vector("layernorm", "bias", bias, x);
    if (!FUSES) {
      add(out, x, y);
      layerNorm(out, out, weight, bias, epsilon);
      return;
    }
    try (var scope = Profiler.scope(LAYER_NORM)) {
      long bytes = 12 * numbers(x) + 8L * x.columns();
      scope.work(bytes, (LAYER_NORM_FLOPS + 1) * numbers(x));
      device.layerNorm(out, x, y, weight, bias, epsilon);
    }
  }

  /** Each row to root mean square 1, then weight; out may be x. */
  public void rmsNorm(Tensor out, Tensor x, Tensor weight, float epsilon) {
    same("rmsnorm", out, x);
    vector("rmsnorm", "weight", weight, x);
    try (var scope = Profiler.scope(RMS_NORM)) {
      scope.work(8 * numbers(x) + 4L * x.columns(), RMS_NORM_FLOPS * numbers(x));
      device.rmsNorm(out, x, weight, epsilon);
    }
  }

  /** {@link #rmsNorm} of every head by itself, in place; one weight serves all heads. */
  public void rmsNormHeads(Tensor x, int heads, Tensor weight, float epsilon) {
    String op = "rmsnorm of heads";
    result(op, x);
    heads(op, x, heads);
    usable(op, "weight", weight, Layout.VECTOR);
    if (weight.columns() * heads != x.columns()) {
      throw wrong(op, heads + " heads are not as wide as the weight", x, weight);
    }
    try (var scope = Profiler.scope(RMS_NORM)) {
      scope.work(8 * numbers(x) + 4L * weight.columns(), RMS_NORM_FLOPS * numbers(x));
      device.rmsNormHeads(x, heads, weight, epsilon);
    }
  }

  /** {@code x · Φ(x)}, exact; out may be x. */
  public void gelu(Tensor out, Tensor x) {
    same("gelu", out, x);
    try (var scope = Profiler.scope(GELU)) {
      scope.work(8 * numbers(x), GELU_FLOPS * numbers(x));
      device.gelu(out, x);
    }
  }

  /** The gelu of GPT-2 and Gemma, by tanh; out may be x. */
  public void geluTanh(Tensor out, Tensor x) {
    same("gelu by tanh", out, x);
    try (var scope = Profiler.scope(GELU)) {
      scope.work(8 * numbers(x), GELU_FLOPS * numbers(x));
      device.geluTanh(out, x);
    }
  }

  /** {@code gelu(gate) · up} with the gelu of Gemma, by tanh; out may be either. */
  public void geglu(Tensor out, Tensor gate, Tensor up) {
    pairwise("geglu", out, "gate", gate, "up", up);
    try (var scope = Profiler.scope(GEGLU)) {
      scope.work(12 * numbers(gate), (GELU_FLOPS + 1) * numbers(gate));
      device.geglu(out, gate, up);
    }
  }

  /** {@code silu(gate) · up} with {@code silu(x) = x / (1 + e⁻ˣ)}; out may be either. */
  public void swiglu(Tensor out, Tensor gate, Tensor up) {
    pairwise("swiglu", out, "gate", gate, "up", up);
    try (var scope = Profiler.scope(SWIGLU)) {
      scope.work(12 * numbers(gate), (SILU_FLOPS + 1) * numbers(gate));
      device.swiglu(out, gate, up);
    }
  }

  /** {@code e^x / Σ e^x} of each row; out may be x. */
  public void softmax(Tensor out, Tensor x) {
    same("softmax", out, x);
    try (var scope = Profiler.scope(SOFTMAX)) {
      scope.work(8 * numbers(x), SOFTMAX_FLOPS * numbers(x));
      device.softmax(out, x);
    }
  }

  /**
   * Turns each head's pairs by its row's position, in place. Where angles are narrower than a head,
   * only the first numbers of it turn.
   */
  public void rope(Tensor x, int heads, Tensor positions, Tensor angles, Pairing pairing) {
    String op = "rope";
    result(op, x);
    heads(op, x, heads);
    integers(op, "positions", positions);
    operand(op, "angles", angles);
    if (positions.rows() != x.rows()) throw wrong(op, "not a position per row", x, positions);
    if ((long) angles.columns() * heads > x.columns() || angles.columns() % 2 != 0) {
      throw wrong(op, heads + " heads are not as wide as the angles", x, angles);
    }
    try (var scope = Profiler.scope(ROPE)) {
      long turned = (long) x.rows() * heads * angles.columns();
      scope.work(8 * turned + 4L * x.rows() * (angles.columns() + 1), 3 * turned);
      device.rope(x, heads, positions, angles, pairing);
    }
  }

  /**
   * Attention of every token to those of its own text that its heads see.
   *
   * @param q heads side by side
   * @param k key heads side by side
   * @param workspace from {@link Device#attentionWorkspace}
   */
  public void attention(
      Tensor out, Tensor q, Tensor k, Tensor v, Sequences texts, Heads heads, Tensor workspace) {
    String op = "attention";
    result(op, out);
    operand(op, "q", q);
    operand(op, "k", k);
    operand(op, "v", v);
    operand(op, "workspace", workspace);
    heads(op, q, heads.count());
    heads(op, k, heads.keyHeads());
    heads(op, v, heads.keyHeads());
    shared(op, heads, q, k);
    int keyWidth = k.columns() / heads.keyHeads();
    int valueWidth = v.columns() / heads.keyHeads();
    if (q.columns() / heads.count() != keyWidth) throw wrong(op, "widths differ", q, k);
    if ((long) valueWidth * heads.count() != out.columns()) {
      throw wrong(op, "out has not a column per number of v's heads", out, v);
    }
    if (texts.rows() != q.rows() || k.rows() != q.rows() || v.rows() != q.rows()) {
      throw wrong(op, "rows are not the %d of the texts".formatted(texts.rows()), q, k, v);
    }
    if (out == q || out == k || out == v) throw wrong(op, "out may be no operand", out);
    for (int i = 0; i < texts.count(); i++) {
      if (texts.past(i) != 0) throw wrong(op, "text %d has tokens in a cache".formatted(i), q);
    }
    fit(op, out, q.rows(), q);
    try (var scope = Profiler.scope(HEADS)) {
      scope.work(
          4 * (numbers(q) + numbers(k) + numbers(v) + numbers(out)),
          heads.count() * heads.pairs(texts) * (2L * (keyWidth + valueWidth) + SOFTMAX_FLOPS));
      device.attention(out, q, k, v, texts, heads, workspace);
    }
  }

  /** How many pairs of tokens see each other in a text. */
  public static long pairs(long length, int before, int after) {
    return length * length - triangle(length - 1 - before) - triangle(length - 1 - after);
  }

  private static long triangle(long side) {
    return side <= 0 ? 0 : side * (side + 1) / 2;
  }

  /**
   * Writes the keys and values of each row into the page of its text that its position belongs to.
   *
   * @param k key heads side by side
   */
  public void store(Tensor keys, Tensor values, Tensor k, Tensor v, Sequences texts, int keyHeads) {
    String op = "store";
    operand(op, "k", k);
    operand(op, "v", v);
    heads(op, k, keyHeads);
    heads(op, v, keyHeads);
    usable(op, "keys", keys, Layout.KEYS);
    usable(op, "values", values, Layout.VALUES);
    if (keys.columns() != (long) k.columns() * Device.PAGE) {
      throw wrong(op, "pages have not the numbers of k", keys, k);
    }
    if (values.columns() != (long) v.columns() * Device.PAGE) {
      throw wrong(op, "pages have not the numbers of v", values, v);
    }
    if (texts.rows() != k.rows() || texts.rows() != v.rows()) {
      throw wrong(op, "rows are not the %d of the texts".formatted(texts.rows()), k, v);
    }
    for (int i = 0; i < texts.count(); i++) pages(op, texts, i, texts.past(i), keys, values);
    try (var scope = Profiler.scope(STORE)) {
      scope.work(
          4 * (numbers(k) + numbers(v))
              + keys.type().bytes(numbers(k))
              + values.type().bytes(numbers(v)),
          0);
      device.store(keys, values, k, v, texts, keyHeads);
    }
  }

  /** Copies one page of keys or values to another: two texts go on from one beginning. */
  public void copyPage(Tensor cache, int from, int to) {
    String op = "copy page";
    usable(op, "cache", cache, cache.layout() == Layout.KEYS ? Layout.KEYS : Layout.VALUES);
    if (from < 0 || from >= cache.capacity() || to < 0 || to >= cache.capacity()) {
      throw wrong(op, "page %d to %d".formatted(from, to), cache);
    }
    try (var scope = Profiler.scope(COPY_PAGE)) {
      scope.work(2 * cache.type().bytes(cache.columns()), 0);
      device.copyPage(cache, from, to);
    }
  }

  /**
   * Attention of every row to the tokens of its own text in the cache that its heads see, none of
   * them after it. The rows' own keys and values have been stored.
   *
   * @param q heads side by side
   * @param workspace from {@link Device#attentionWorkspace}
   */
  public void cachedAttention(
      Tensor out,
      Tensor q,
      Tensor keys,
      Tensor values,
      Sequences texts,
      Heads heads,
      Tensor workspace) {
    String op = "cached attention";
    result(op, out);
    operand(op, "q", q);
    operand(op, "workspace", workspace);
    usable(op, "keys", keys, Layout.KEYS);
    usable(op, "values", values, Layout.VALUES);
    heads(op, q, heads.count());
    heads(op, out, heads.count());
    shared(op, heads, q, keys);
    if (heads.after() != 0) throw wrong(op, "a window after tokens of a cache", q);
    long keyWidth = q.columns() / heads.count();
    long valueWidth = out.columns() / heads.count();
    if (keys.columns() != keyWidth * heads.keyHeads() * Device.PAGE) {
      throw wrong(op, "pages have not the numbers of q's heads", q, keys);
    }
    if (values.columns() != valueWidth * heads.keyHeads() * Device.PAGE) {
      throw wrong(op, "pages have not the numbers of out's heads", out, values);
    }
    if (texts.rows() != q.rows()) {
      throw wrong(op, "rows are not the %d of the texts".formatted(texts.rows()), q);
    }
    if (out == q) throw wrong(op, "out may not be q", out);
    for (int i = 0; i < texts.count(); i++) {
      pages(op, texts, i, Math.max(0, texts.past(i) - heads.before()), keys, values);
    }
    fit(op, out, q.rows(), q);
    try (var scope = Profiler.scope(HEADS)) {
      long seen = 0;
      for (int i = 0; i < texts.count(); i++) {
        int past = texts.past(i);
        seen += past + texts.length(i) - Math.max(0, past - heads.before());
      }
      scope.work(
          4 * (numbers(q) + numbers(out))
              + keys.type().bytes(seen * heads.keyHeads() * keyWidth)
              + values.type().bytes(seen * heads.keyHeads() * valueWidth),
          heads.count() * heads.pairs(texts) * (2 * (keyWidth + valueWidth) + SOFTMAX_FLOPS));
      device.cachedAttention(out, q, keys, values, texts, heads, workspace);
    }
  }

  /** The mean row of each text. */
  public void meanPool(Tensor out, Tensor x, Sequences texts) {
    pooled("mean pool", out, x, texts);
    try (var scope = Profiler.scope(POOL)) {
      scope.work(4 * (numbers(x) + numbers(out)), numbers(x));
      device.meanPool(out, x, texts);
    }
  }

  /** The first row of each text. */
  public void firstPool(Tensor out, Tensor x, Sequences texts) {
    pooled("first pool", out, x, texts);
    try (var scope = Profiler.scope(POOL)) {
      scope.work(8 * numbers(out), 0);
      device.firstPool(out, x, texts);
    }
  }

  /** The last row of each text. */
  public void lastPool(Tensor out, Tensor x, Sequences texts) {
    pooled("last pool", out, x, texts);
    try (var scope = Profiler.scope(POOL)) {
      scope.work(8 * numbers(out), 0);
      device.lastPool(out, x, texts);
    }
  }

  /** Each row to length 1; a row of zeros stays one. Out may be x. */
  public void normalize(Tensor out, Tensor x) {
    same("normalize", out, x);
    try (var scope = Profiler.scope(NORMALIZE)) {
      scope.work(8 * numbers(x), 3 * numbers(x));
      device.normalize(out, x);
    }
  }

  // Checks. What they say is put together only when something is wrong.

  private static long numbers(Tensor tensor) {
    return (long) tensor.rows() * tensor.columns();
  }

  private void pooled(String op, Tensor out, Tensor x, Sequences texts) {
    result(op, out);
    operand(op, "x", x);
    if (out.columns() != x.columns()) throw wrong(op, "columns differ", out, x);
    if (texts.rows() != x.rows()) {
      throw wrong(op, "the texts have %d rows".formatted(texts.rows()), out, x);
    }
    if (out == x) throw wrong(op, "out may not be x", out, x);
    fit(op, out, texts.count(), x);
  }

  /** Whether a text's tokens from one on have pages, all of them in the cache. */
  private static void pages(
      String op, Sequences texts, int text, int from, Tensor keys, Tensor values) {
    int[] pages = texts.pages(text);
    if (pages == null) throw wrong(op, "text %d has no pages".formatted(text), keys);
    int last = (texts.past(text) + texts.length(text) - 1) / Device.PAGE;
    for (int i = from / Device.PAGE; i <= last; i++) {
      if (pages[i] < 0 || pages[i] >= keys.capacity() || pages[i] >= values.capacity()) {
        throw wrong(
            op, "page %d of text %d is number %d".formatted(i, text, pages[i]), keys, values);
      }
    }
  }

  private void pairwise(String op, Tensor out, String first, Tensor a, String second, Tensor b) {
    same(op, out, a);
    operand(op, second, b);
    if (b.columns() != a.columns() || b.rows() != a.rows()) {
      throw wrong(op, first + " and " + second + " differ", out, a, b);
    }
  }

  /** Out takes the shape of x. */
  private void same(String op, Tensor out, Tensor x) {
    result(op, out);
    operand(op, "x", x);
    if (out.columns() != x.columns()) throw wrong(op, "columns differ", out, x);
    fit(op, out, x.rows(), x);
  }

  private static void fit(String op, Tensor out, int rows, Tensor x) {
    if (rows > out.capacity()) {
      throw wrong(op, "out has room for %d rows".formatted(out.capacity()), out, x);
    }
    out.rows(rows);
  }

  private void vector(String op, String role, Tensor vector, Tensor of) {
    usable(op, role, vector, Layout.VECTOR);
    if (vector.columns() != of.columns()) {
      throw wrong(op, role + " has another length", of, vector);
    }
  }

  private static void heads(String op, Tensor x, int heads) {
    if (heads < 1 || x.columns() % heads != 0) {
      throw wrong(op, "columns are not those of %d heads".formatted(heads), x);
    }
  }

  private static void shared(String op, Heads heads, Tensor q, Tensor k) {
    if (heads.keyHeads() < 1 || heads.count() % heads.keyHeads() != 0) {
      String what = "%d heads do not share %d key heads";
      throw wrong(op, what.formatted(heads.count(), heads.keyHeads()), q, k);
    }
    if (heads.before() < 0 || heads.after() < 0) throw wrong(op, "a window below 0", q);
  }

  private void result(String op, Tensor out) {
    operand(op, "out", out);
  }

  private void operand(String op, String role, Tensor tensor) {
    usable(op, role, tensor, Layout.ROWS);
    if (tensor.type() != TensorType.F32) throw wrong(op, role + " is not f32", tensor);
  }

  private void integers(String op, String role, Tensor tensor) {
    usable(op, role, tensor, Layout.ROWS);
    if (tensor.type() != TensorType.I32 || tensor.columns() != 1) {
      throw wrong(op, role + " is not one i32 a row", tensor);
    }
  }

  private void usable(String op, String role, Tensor tensor, Layout layout) {
    if (tensor.layout() != layout) {
      throw wrong(op, "%s lies as %s, not as %s".formatted(role, tensor.layout(), layout), tensor);
    }
    if (!tensor.open()) {
      throw new IllegalStateException("%s: %s (%s) is closed".formatted(op, role, tensor));
    }
    if (!device.reaches(tensor)) {
      throw wrong(op, "%s is on another device than %s".formatted(role, device.name()), tensor);
    }
  }

  private static IllegalArgumentException wrong(String op, String what, Tensor... tensors) {
    StringBuilder message = new StringBuilder(op).append(": ").append(what);
    for (int i = 0; i < tensors.length; i++) {
      message.append(i == 0 ? "; " : ", ").append(tensors[i]);
    }
    return new IllegalArgumentException(message.toString());
  }
}
