package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Angles;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.grad.AdamStep;
import dev.ridgeline.tensor.grad.Attended;
import dev.ridgeline.tensor.grad.AttentionBackward;
import dev.ridgeline.tensor.grad.Grad;
import dev.ridgeline.tensor.grad.NormBackward;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Every operation of training once, over a batch, to run whole passes with. */
final class Gradients implements AutoCloseable {
  private static final int WIDTH = 101;
  private static final int HEADS = 6;
  private static final int KEY_HEADS = 2;
  private static final int HEAD = 18;
  private static final int QUERIES = HEADS * HEAD;
  private static final int KEYS = KEY_HEADS * HEAD;
  private static final int VOCABULARY = 1500;

  private final Trainer trainer;
  private final Sequences texts;
  private final Tensor x;
  private final Tensor dy;
  private final Tensor[] more;
  private final Tensor halves;
  private final Tensor dx;
  private final Tensor weight;
  private final Tensor dWeight;
  private final Tensor dBias;
  private final Tensor gateUp;
  private final Tensor gate;
  private final Tensor up;
  private final Tensor qkv;
  private final Tensor d;
  private final Tensor dOut;
  private final Tensor table;
  private final Tensor tokens;
  private final Tensor logits;
  private final Tensor losses;
  private final Tensor angles;
  private final Tensor workspace;
  private final Tensor gradient;
  private final Tensor m;
  private final Tensor v;
  private final Tensor q;
  private final Tensor k;
  private final Tensor w;
  private final Tensor dq;
  private final Tensor dk;
  private final Tensor dv;
  private final Tensor targets;
  private final Tensor positions;
  private final AdamStep step = new AdamStep().step(3);
  private final NormBackward added;
  private final Attended attended;
  private final AttentionBackward attention;
  private double sums;

  Gradients(Trainer trainer, int... lengths) {
    this(trainer, VOCABULARY, lengths);
  }

  Gradients(Trainer trainer, int vocabulary, int[] lengths) {
    this.trainer = trainer;
    Fixture play = trainer.play;
    texts = play.texts(lengths);
    int rows = texts.rows();
    x = trainer.strided(rows, WIDTH);
    dy = play.filled(rows, WIDTH);
    more = new Tensor[] {dy, dy};
    halves = play.keep(play.device.allocate("test", TensorType.BF16, rows, WIDTH));
    dx = play.filled(rows, WIDTH);
    weight = play.filled(1, WIDTH);
    dWeight = play.empty(1, WIDTH);
    dBias = play.empty(1, WIDTH);
    Tensor stats = play.empty(rows, 2);
    gateUp = play.filled(rows, 2 * WIDTH);
    gate = gateUp.columns(0, WIDTH);
    up = gateUp.columns(WIDTH, 2 * WIDTH);
    qkv = play.filled(rows, QUERIES + 2 * KEYS);
    d = play.empty(rows, QUERIES + 2 * KEYS);
    dOut = play.filled(rows, QUERIES);
    table = play.filled(vocabulary, WIDTH);
    tokens = play.integers(new Random(8).ints(rows, 0, 20).toArray());
    logits = play.filled(rows, vocabulary);
    losses = play.empty(rows, 1);
    gradient = play.filled(vocabulary, WIDTH);
    m = play.empty(vocabulary, WIDTH);
    v = play.empty(vocabulary, WIDTH);
    angles = Angles.of(play.device, "test", texts.longest(), HEAD, 100, 1, null);
    workspace = trainer.grad.attentionWorkspace("test", texts.longest());
    q = qkv.columns(0, QUERIES);
    k = qkv.columns(QUERIES, QUERIES + KEYS);
    w = qkv.columns(QUERIES + KEYS, QUERIES + 2 * KEYS);
    added = new NormBackward(1e-5f, true, stats);
    attended = new Attended(q, k, w);
    Heads heads = new Heads(HEADS, KEY_HEADS, 0.2f, Heads.ANY, 0);
    attention = new AttentionBackward(texts, heads, workspace);
    dq = d.columns(0, QUERIES);
    dk = d.columns(QUERIES, QUERIES + KEYS);
    dv = d.columns(QUERIES + KEYS, QUERIES + 2 * KEYS);
    targets = play.integers(new Random(7).ints(rows, -1, vocabulary).toArray());
    positions = texts.positions();
  }

  /** One after the other, each on what the ones before have left. */
  void run(Grad grad) {
    grad.rmsNorm(dx, dWeight, dy, x, weight, added);
    grad.layerNorm(dx, dWeight, dBias, dy, x, weight, added);
    grad.apply(Activation.GELU, dy, dy, x);
    grad.apply(Activation.GELU_TANH, dy, dy, x);
    grad.apply(Activation.SILU, gate, up, dy, gate, up);
    grad.attention(dq, dk, dv, dOut, attended, attention);
    grad.rope(dq, HEADS, positions, angles, Pairing.HALVES);
    grad.rope(dk, KEY_HEADS, positions, angles, Pairing.NEIGHBOURS);
    grad.rows(table, dx, tokens);
    grad.crossEntropy(losses, logits, targets, 0.01f);
    sums = grad.sum(losses) + grad.sumOfSquares(table);
    grad.adamW(table, gradient, m, v, step);
    grad.add(dx, more);
    grad.round(halves, dx);
    grad.widen(dx, halves);
    grad.zero(dy);
  }

  /** All that a run has written. */
  List<float[]> results() {
    List<float[]> all = new ArrayList<>();
    Tensor[] written = {dx, dWeight, dBias, dy, gateUp, d, table, logits, losses, m, v};
    for (Tensor each : written) all.add(trainer.play.read(each));
    all.add(new float[] {(float) sums, (float) (sums - (float) sums)});
    return all;
  }

  @Override
  public void close() {
    angles.close();
    workspace.close();
  }
}
