package dev.ridgeline.tensor.cpu;

import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.AttentionKernels;

/** Attention or its gradient: its operands, and room for the scores of each worker. */
abstract class HeadsTask implements Workers.Task {
  /** Scores of a unit: 512 kB, half of a common second-level cache. */
  static final int BUDGET = 1 << 17;

  static final int LEAST_QUERIES = 8;
  static final int UNITS_PER_WORKER = 4;

  static final Scope SCORES = Scope.of("scores");
  static final Scope SOFTMAX = Scope.of("softmax");
  static final Scope MIX = Scope.of("mix");

  /** Rows of scores are whole pages of a cache, and so begin at cache lines. */
  private static final int LINE = 32;

  private final String name;

  /** Rows of scores that a unit has at least. */
  private final int rows;

  AttentionKernels kernels;
  CpuTensor out;
  CpuTensor q;
  CpuTensor k;
  CpuTensor v;
  Sequences texts;
  int heads;
  int keyHeads;

  /** Heads that share a key head. */
  int shared;

  int keyWidth;
  int valueWidth;
  float scale;
  int before;
  int after;
  private CpuTensor workspace;

  HeadsTask(String name, int rows) {
    this.name = name;
    this.rows = rows;
  }

  /** What a worker needs for texts of this length, in numbers. */
  static int numbers(int rows, int longest) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(BUDGET, rows * line(longest)));
  }

  /** Says what {@link #run} works on; keys and values may be pages of a cache. */
  final void operands(Tensor result, Tensor queries, Tensor keys, Tensor values) {
    out = (CpuTensor) result;
    q = (CpuTensor) queries;
    k = (CpuTensor) keys;
    v = (CpuTensor) values;
  }

  final void run(CpuDevice device, Sequences ofTexts, Heads ofHeads, Tensor room) {
    Workers workers = device.workers();
    int longest = ofTexts.deepest();
    kernels = device.kernels().attention();
    texts = ofTexts;
    heads = ofHeads.count();
    keyHeads = ofHeads.keyHeads();
    shared = heads / keyHeads;
    keyWidth = q.columns() / heads;
    valueWidth = out.columns() / heads;
    scale = ofHeads.scale();
    before = ofHeads.before();
    after = ofHeads.after();
    workspace = (CpuTensor) room;
    try {
      if (room.capacity() < workers.count() || room.columns() < numbers(rows, longest)) {
        throw new IllegalArgumentException(
            "%s: a text of %d tokens and %d workers; %s"
                .formatted(name, longest, workers.count(), room));
      }
      spread(workers);
    } finally {
      clear();
    }
  }

  /** Hands all units to the workers. */
  abstract void spread(Workers workers);

  /** Forgets all operands. */
  void clear() {
    operands(null, null, null, null);
    texts = null;
    workspace = null;
  }

  /** Where a worker's scores go. */
  final long scores(int worker) {
    return workspace.row(worker);
  }

  static long line(long numbers) {
    return (numbers + LINE - 1) / LINE * LINE;
  }

  /** What comes before a part, where all cost the same. */
  static long share(long all, int part, int parts) {
    // In parts, so that cost · part cannot overflow.
    return all / parts * part + all % parts * part / parts;
  }
}
