package dev.ridgeline.tensor;

import dev.ridgeline.profiler.Arithmetic;

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

  private static final Operation ROWS = Operation.of("rows");
  private static final Operation MATMUL = Operation.of("matmul");
  private static final Operation ADD = Operation.of("add");
  private static final Operation MULTIPLY = Operation.of("multiply");
  private static final Operation SCALE = Operation.of("scale");
  private static final Operation LAYER_NORM = Operation.of("layernorm");
  private static final Operation RMS_NORM = Operation.of("rmsnorm");
  private static final Operation RMS_NORM_HEADS = Operation.of("rmsnorm of heads", "rmsnorm");
  private static final Operation[] ACTIVATIONS = Activation.operations(false, "");
  private static final Operation[] GATES = Activation.operations(true, "");
  private static final Operation SOFTMAX = Operation.of("softmax");
  private static final Operation ROPE = Operation.of("rope");

  // Their scope is not called attention, as models call what they do before and after, too.

  private static final Operation ATTENTION = Operation.of("attention", "heads");
  private static final Operation CACHED = Operation.of("cached attention", "heads");

  private static final Operation STORE = Operation.of("store");
  private static final Operation COPY_PAGE = Operation.of("copy page");
  private static final Operation POOL = Operation.of("pool");
  private static final Operation NORMALIZE = Operation.of("normalize");

  /** Operations per number. */
  private static final int LAYER_NORM_FLOPS = 8;

  private static final int RMS_NORM_FLOPS = 4;

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
    ROWS.operand(device, "out", out);
    ROWS.usable(device, "table", table, Layout.ROWS);
    ROWS.integers(device, "ids", ids);
    if (out.columns() != table.columns()) throw ROWS.wrong("columns differ", out, table);
    ROWS.fit(out, ids.rows(), ids);
    long count = out.numbers();
    try (var _ = ROWS.begin(table.type().bytes(count) + 4 * count + 4L * ids.rows(), 0)) {
      device.rows(out, table, ids);
    }
  }

  /** {@code out = x · matrixᵀ + bias}: a row of the matrix per output. */
  public void matmul(Tensor out, Tensor x, Tensor matrix, Tensor biasOrNull) {
    check(out, x, matrix, biasOrNull);
    Arithmetic form = device.form(matrix.type(), x.rows());
    long bytes = 4 * x.numbers() + bytes(out, matrix, biasOrNull);
    try (var _ = MATMUL.begin(form, bytes, operations(out, matrix, biasOrNull))) {
      device.matmul(out, x, matrix, biasOrNull);
    }
  }

  /**
   * The same with several matrices: what is made of x for one of them serves all. Those of {@link
   * Precision#FINE} are best first.
   */
  public void matmul(Tensor x, Projection... all) {
    Arithmetic form = device.form(all[0].matrix().type(), x.rows());
    long bytes = 4 * x.numbers();
    long operations = 0;
    for (Projection each : all) {
      check(each.out(), x, each.matrix(), each.biasOrNull());
      if (!FUSES || device.form(each.matrix().type(), x.rows()) != form) {
        oneByOne(x, all);
        return;
      }
      bytes += bytes(each.out(), each.matrix(), each.biasOrNull());
      operations += operations(each.out(), each.matrix(), each.biasOrNull());
    }
    try (var _ = MATMUL.begin(form, bytes, operations)) {
      device.matmul(x, all);
    }
  }

  /** Different forms of arithmetic are different work. */
  private void oneByOne(Tensor x, Projection[] all) {
    for (Projection each : all) matmul(each.out(), x, each.matrix(), each.biasOrNull());
  }

  private void check(Tensor out, Tensor x, Tensor matrix, Tensor biasOrNull) {
    MATMUL.operand(device, "out", out);
    MATMUL.operand(device, "x", x);
    MATMUL.usable(device, "matrix", matrix, Layout.MATRIX);
    if (x.columns() != matrix.columns()) {
      throw MATMUL.wrong("x and matrix differ in columns", out, x, matrix);
    }
    if (out.columns() != matrix.rows()) {
      throw MATMUL.wrong("out needs a column per row of the matrix", out, x, matrix);
    }
    if (out == x) throw MATMUL.wrong("out may not be x", out, x, matrix);
    if (biasOrNull != null) vector(MATMUL, "bias", biasOrNull, out);
    MATMUL.fit(out, x.rows(), x);
  }

  private static long bytes(Tensor out, Tensor matrix, Tensor biasOrNull) {
    long bias = biasOrNull == null ? 0 : matrix.rows();
    return matrix.type().bytes(matrix.numbers()) + 4 * (out.numbers() + bias);
  }

  private static long operations(Tensor out, Tensor matrix, Tensor biasOrNull) {
    return out.numbers() * (2L * matrix.columns() + (biasOrNull == null ? 0 : 1));
  }

  /** {@code out = a + b}; b may be one row or vector, which is added to every row. */
  public void add(Tensor out, Tensor a, Tensor b) {
    ADD.operand(device, "out", out);
    ADD.operand(device, "a", a);
    if (b.layout() == Layout.VECTOR) vector(ADD, "b", b, a);
    else ADD.operand(device, "b", b);
    if (a.columns() != b.columns() || a.columns() != out.columns()) {
      throw ADD.wrong("columns differ", out, a, b);
    }
    if (b.rows() != a.rows() && b.rows() != 1) throw ADD.wrong("rows differ", out, a, b);
    ADD.fit(out, a.rows(), a);
    try (var _ = ADD.begin(4 * (2 * a.numbers() + b.numbers()), a.numbers())) {
      device.add(out, a, b);
    }
  }

  /** {@code out = a · b}, number by number; out may be either. */
  public void multiply(Tensor out, Tensor a, Tensor b) {
    MULTIPLY.result(device, "out", out, a);
    MULTIPLY.same(device, "b", b, a);
    try (var _ = MULTIPLY.begin(12 * a.numbers(), a.numbers())) {
      device.multiply(out, a, b);
    }
  }

  /** {@code out = a · factor}. */
  public void scale(Tensor out, Tensor a, float factor) {
    SCALE.result(device, "out", out, a);
    try (var _ = SCALE.begin(8 * a.numbers(), a.numbers())) {
      device.scale(out, a, factor);
    }
  }

  /** Each row to mean 0 and variance 1, then weight and bias; out may be x. */
  public void layerNorm(Tensor out, Tensor x, Tensor weight, Tensor bias, float epsilon) {
    layerNorm(out, x, null, weight, bias, epsilon);
  }

  /** The same of {@code x + y}; out may be either. */
  public void addLayerNorm(
      Tensor out, Tensor x, Tensor y, Tensor weight, Tensor bias, float epsilon) {
    LAYER_NORM.same(device, "y", y, x);
    if (FUSES) {
      layerNorm(out, x, y, weight, bias, epsilon);
    } else {
      add(out, x, y);
      layerNorm(out, out, weight, bias, epsilon);
    }
  }

  private void layerNorm(
      Tensor out, Tensor x, Tensor yOrNull, Tensor weight, Tensor bias, float epsilon) {
    LAYER_NORM.result(device, "out", out, x);
    vector(LAYER_NORM, "weight", weight, x);
    vector(LAYER_NORM, "bias", bias, x);
    int sums = yOrNull == null ? 0 : 1;
    long bytes = (8 + 4 * sums) * x.numbers() + 8L * x.columns();
    try (var _ = LAYER_NORM.begin(bytes, (LAYER_NORM_FLOPS + sums) * x.numbers())) {
      device.norm(out, x, yOrNull, weight, bias, epsilon);
    }
  }

  /** Each row to root mean square 1, then weight; out may be x. */
  public void rmsNorm(Tensor out, Tensor x, Tensor weight, float epsilon) {
    RMS_NORM.result(device, "out", out, x);
    vector(RMS_NORM, "weight", weight, x);
    long bytes = 8 * x.numbers() + 4L * x.columns();
    try (var _ = RMS_NORM.begin(bytes, RMS_NORM_FLOPS * x.numbers())) {
      device.norm(out, x, null, weight, null, epsilon);
    }
  }

  /** {@link #rmsNorm} of every head by itself, in place; one weight serves all heads. */
  public void rmsNormHeads(Tensor x, int heads, Tensor weight, float epsilon) {
    RMS_NORM_HEADS.operand(device, "x", x);
    RMS_NORM_HEADS.heads(x, heads);
    RMS_NORM_HEADS.usable(device, "weight", weight, Layout.VECTOR);
    if (weight.columns() * heads != x.columns()) {
      throw RMS_NORM_HEADS.wrong(heads + " heads are not as wide as the weight", x, weight);
    }
    long bytes = 8 * x.numbers() + 4L * weight.columns();
    try (var _ = RMS_NORM_HEADS.begin(bytes, RMS_NORM_FLOPS * x.numbers())) {
      device.rmsNormHeads(x, heads, weight, epsilon);
    }
  }

  /** An activation; out may be x. */
  public void apply(Activation activation, Tensor out, Tensor x) {
    Operation operation = ACTIVATIONS[activation.ordinal()];
    operation.result(device, "out", out, x);
    try (var _ = operation.begin(8 * x.numbers(), activation.flops() * x.numbers())) {
      device.apply(activation, out, x, null);
    }
  }

  /** An activation of the gate, times up; out may be either. */
  public void apply(Activation activation, Tensor out, Tensor gate, Tensor up) {
    Operation operation = GATES[activation.ordinal()];
    operation.result(device, "out", out, gate);
    operation.same(device, "up", up, gate);
    try (var _ = operation.begin(12 * gate.numbers(), (activation.flops() + 1) * gate.numbers())) {
      device.apply(activation, out, gate, up);
    }
  }

  /** {@code e^x / Σ e^x} of each row; out may be x. */
  public void softmax(Tensor out, Tensor x) {
    SOFTMAX.result(device, "out", out, x);
    try (var _ = SOFTMAX.begin(8 * x.numbers(), SOFTMAX_FLOPS * x.numbers())) {
      device.softmax(out, x);
    }
  }

  /**
   * Turns each head's pairs by its row's position, in place. Where angles are narrower than a head,
   * only the first numbers of it turn.
   */
  public void rope(Tensor x, int heads, Tensor positions, Tensor angles, Pairing pairing) {
    try (var _ = ROPE.turn(device, x, heads, positions, angles)) {
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
    ATTENTION.operand(device, "out", out);
    ATTENTION.whole(device, q, k, v, texts, heads, workspace);
    int keyWidth = k.columns() / heads.keyHeads();
    int valueWidth = v.columns() / heads.keyHeads();
    if ((long) valueWidth * heads.count() != out.columns()) {
      throw ATTENTION.wrong("out needs a column per number of v's heads", out, v);
    }
    if (out == q || out == k || out == v) throw ATTENTION.wrong("out may not be an operand", out);
    ATTENTION.fit(out, q.rows(), q);
    long bytes = 4 * (q.numbers() + k.numbers() + v.numbers() + out.numbers());
    try (var _ = ATTENTION.begin(bytes, operations(texts, heads, keyWidth + valueWidth))) {
      device.attention(out, q, k, v, texts, heads, workspace);
    }
  }

  /** Of scores and mixes. */
  private static long operations(Sequences texts, Heads heads, long widths) {
    return heads.count() * heads.pairs(texts) * (2 * widths + SOFTMAX_FLOPS);
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
    STORE.operand(device, "k", k);
    STORE.operand(device, "v", v);
    STORE.heads(k, keyHeads);
    STORE.heads(v, keyHeads);
    cached(STORE, "k", keys, k.columns(), "v", values, v.columns());
    STORE.rows(texts, k);
    STORE.rows(texts, v);
    for (int i = 0; i < texts.count(); i++) pages(STORE, texts, i, texts.past(i), keys, values);
    long bytes = keys.type().bytes(k.numbers()) + values.type().bytes(v.numbers());
    try (var _ = STORE.begin(4 * (k.numbers() + v.numbers()) + bytes, 0)) {
      device.store(keys, values, k, v, texts, keyHeads);
    }
  }

  /** Copies one page of keys or values to another: two texts go on from one beginning. */
  public void copyPage(Tensor cache, int from, int to) {
    Layout layout = cache.layout() == Layout.KEYS ? Layout.KEYS : Layout.VALUES;
    COPY_PAGE.usable(device, "cache", cache, layout);
    if (from < 0 || from >= cache.capacity() || to < 0 || to >= cache.capacity()) {
      throw COPY_PAGE.wrong("page %d to %d".formatted(from, to), cache);
    }
    try (var _ = COPY_PAGE.begin(2 * cache.type().bytes(cache.columns()), 0)) {
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
    CACHED.operand(device, "out", out);
    CACHED.operand(device, "q", q);
    CACHED.operand(device, "workspace", workspace);
    CACHED.heads(q, heads.count());
    CACHED.heads(out, heads.count());
    CACHED.shared(heads, q, keys);
    if (heads.after() != 0) throw CACHED.wrong("a window after tokens of a cache", q);
    long keyNumbers = (long) q.columns() / heads.count() * heads.keyHeads();
    long valueNumbers = (long) out.columns() / heads.count() * heads.keyHeads();
    cached(CACHED, "q's heads", keys, keyNumbers, "out's heads", values, valueNumbers);
    CACHED.rows(texts, q);
    if (out == q) throw CACHED.wrong("out may not be q", out);
    long seen = 0;
    for (int i = 0; i < texts.count(); i++) {
      int first = Math.max(0, texts.past(i) - heads.before());
      pages(CACHED, texts, i, first, keys, values);
      seen += texts.past(i) + texts.length(i) - first;
    }
    CACHED.fit(out, q.rows(), q);
    long bytes = keys.type().bytes(seen * keyNumbers) + values.type().bytes(seen * valueNumbers);
    long operations = operations(texts, heads, (q.columns() + out.columns()) / heads.count());
    try (var _ = CACHED.begin(4 * (q.numbers() + out.numbers()) + bytes, operations)) {
      device.cachedAttention(out, q, keys, values, texts, heads, workspace);
    }
  }

  /** A row for each text. */
  public void pool(Pooled pooled, Tensor out, Tensor x, Sequences texts) {
    POOL.operand(device, "out", out);
    POOL.operand(device, "x", x);
    if (out.columns() != x.columns()) throw POOL.wrong("columns differ", out, x);
    POOL.rows(texts, x);
    if (out == x) throw POOL.wrong("out may not be x", out, x);
    POOL.fit(out, texts.count(), x);
    boolean mean = pooled == Pooled.MEAN;
    long read = mean ? x.numbers() : out.numbers();
    try (var _ = POOL.begin(4 * (read + out.numbers()), mean ? read : 0)) {
      device.pool(pooled, out, x, texts);
    }
  }

  /** Each row to length 1; a row of zeros stays one. Out may be x. */
  public void normalize(Tensor out, Tensor x) {
    NORMALIZE.result(device, "out", out, x);
    try (var _ = NORMALIZE.begin(8 * x.numbers(), 3 * x.numbers())) {
      device.normalize(out, x);
    }
  }

  /** Pages of keys and of values, with the numbers of something for each token. */
  private void cached(
      Operation op,
      String ofKeys,
      Tensor keys,
      long keyNumbers,
      String ofValues,
      Tensor values,
      long valueNumbers) {
    op.usable(device, "keys", keys, Layout.KEYS);
    op.usable(device, "values", values, Layout.VALUES);
    if (keys.columns() != keyNumbers * Device.PAGE) {
      throw op.wrong("pages do not hold the numbers of " + ofKeys, keys);
    }
    if (values.columns() != valueNumbers * Device.PAGE) {
      throw op.wrong("pages do not hold the numbers of " + ofValues, values);
    }
  }

  /** Whether a text's tokens from one on have pages, all of them in the cache. */
  private static void pages(
      Operation op, Sequences texts, int text, int from, Tensor keys, Tensor values) {
    int[] pages = texts.pages(text);
    if (pages == null) throw op.wrong("text %d has no pages".formatted(text), keys);
    int last = (texts.past(text) + texts.length(text) - 1) / Device.PAGE;
    for (int i = from / Device.PAGE; i <= last; i++) {
      if (pages[i] < 0 || pages[i] >= keys.capacity() || pages[i] >= values.capacity()) {
        String what = "page %d of text %d is number %d";
        throw op.wrong(what.formatted(i, text, pages[i]), keys, values);
      }
    }
  }

  private void vector(Operation op, String role, Tensor vector, Tensor of) {
    op.usable(device, role, vector, Layout.VECTOR);
    if (vector.columns() != of.columns()) {
      throw op.wrong(role + " has another length", of, vector);
    }
  }
}
