package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Angles;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Pooled;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.util.stream.IntStream;

/** A little encoder that uses every operation, to run whole passes with. */
final class Encoder {
  private static final int WIDTH = 64;
  private static final int HEADS = 4;
  private static final int INNER = 96;
  private static final Heads SEEN = new Heads(HEADS, HEADS, 0.25f, 20, 20);
  private static final Heads SEEN_IN_CACHE = new Heads(HEADS, HEADS, 0.25f, 30, 0);

  private final Fixture play;
  private final Tensor table;
  private final Tensor qkvWeights;
  private final Tensor outWeights;
  private final Tensor upWeights;
  private final Tensor downWeights;
  private final Tensor weight;
  private final Tensor bias;
  private final Tensor headWeight;
  private final Tensor wideBias;
  private final Tensor angles;
  private final Tensor ids;
  private final Tensor x;
  private final Tensor y;
  private final Tensor qkv;
  private final Tensor q;
  private final Tensor k;
  private final Tensor v;
  private final Tensor gateUp;
  private final Tensor gate;
  private final Tensor up;
  private final Tensor pooled;
  private final Tensor workspace;
  private final Sequences texts;
  private final Tensor rest;
  private final Tensor inner;
  private final Tensor keys;
  private final Tensor values;
  private final int[][] pages = new int[8][];

  Encoder(Fixture play, int rows, int longest) {
    this(play, rows, longest, TensorType.F16);
  }

  /**
   * @param down the type of the last matrix
   */
  Encoder(Fixture play, int rows, int longest, TensorType down) {
    this.play = play;
    table = play.weights(stored(TensorType.Q4_K, 100, 256), Layout.ROWS);
    qkvWeights = play.weights(stored(TensorType.Q8_0, 3 * WIDTH, WIDTH), Layout.MATRIX);
    outWeights = play.weights(stored(TensorType.F32, WIDTH, WIDTH), Layout.MATRIX);
    upWeights = play.weights(stored(TensorType.Q5_1, 2 * INNER, WIDTH), Layout.MATRIX);
    downWeights = play.weights(stored(down, WIDTH, INNER), Layout.MATRIX);
    weight = play.vector(play.numbers(WIDTH));
    bias = play.vector(play.numbers(WIDTH));
    headWeight = play.vector(play.numbers(WIDTH / HEADS));
    wideBias = play.vector(play.numbers(3 * WIDTH));
    angles = Angles.of(play.device, "test", longest, WIDTH / HEADS, 10_000, 1, null);
    ids = play.integers(new int[rows]);
    x = play.empty(rows, 256);
    y = play.empty(rows, WIDTH);
    qkv = play.empty(rows, 3 * WIDTH);
    q = qkv.columns(0, WIDTH);
    k = qkv.columns(WIDTH, 2 * WIDTH);
    v = qkv.columns(2 * WIDTH, 3 * WIDTH);
    gateUp = play.empty(rows, 2 * INNER);
    gate = gateUp.columns(0, INNER);
    up = gateUp.columns(INNER, 2 * INNER);
    pooled = play.empty(rows, WIDTH);
    workspace = play.workspace(longest);
    texts = play.room(rows, rows);
    rest = x.columns(0, WIDTH);
    inner = play.empty(rows, INNER);
    int each = longest / Device.PAGE + 1;
    keys = play.cache(Layout.KEYS, TensorType.F32, 8 * each, HEADS, WIDTH / HEADS);
    values = play.cache(Layout.VALUES, TensorType.F16, 8 * each, HEADS, WIDTH / HEADS);
    for (int t = 0; t < 8; t++) {
      int text = t;
      pages[t] = IntStream.range(0, each).map(i -> 8 * i + text).toArray();
    }
  }

  private GgufTensor stored(TensorType type, int rows, int columns) {
    return play.stored(type, rows, columns, play.numbers(rows * columns));
  }

  /** One pass; the result is in the tensor that it answers. */
  Tensor run(Ops ops, int[] tokens, int[] lengths) {
    texts.clear();
    for (int t = 0; t < lengths.length; t++) texts.add(lengths[t], 0, pages[t]);
    play.device.write(ids.rows(texts.rows()), tokens, 0);
    ops.rows(x, table, ids);
    ops.scale(rest, rest, 0.5f);
    ops.layerNorm(y, rest, weight, bias, 1e-5f);
    ops.matmul(qkv, y, qkvWeights, wideBias);
    ops.rmsNormHeads(q, HEADS, headWeight, 1e-6f);
    ops.rope(q, HEADS, texts.positions(), angles, Pairing.HALVES);
    ops.rope(k, HEADS, texts.positions(), angles, Pairing.HALVES);
    ops.attention(y, q, k, v, texts, SEEN, workspace);
    ops.store(keys, values, k, v, texts, HEADS);
    ops.cachedAttention(rest, q, keys, values, texts, SEEN_IN_CACHE, workspace);
    ops.add(y, y, rest);
    ops.matmul(rest, y, outWeights, null);
    ops.add(y, y, rest);
    ops.rmsNorm(y, y, weight, 1e-6f);
    ops.matmul(gateUp, y, upWeights, null);
    ops.apply(Activation.GELU, up, up);
    ops.apply(Activation.GELU_TANH, gate, gate);
    ops.apply(Activation.SILU, up, gate, up);
    ops.apply(Activation.GELU_TANH, inner, gate, up);
    ops.multiply(inner, inner, up);
    ops.softmax(inner, inner);
    ops.matmul(rest, inner, downWeights, bias);
    ops.add(y, rest, bias);
    ops.pool(Pooled.MEAN, pooled, y, texts);
    ops.normalize(pooled, pooled);
    return pooled;
  }
}
