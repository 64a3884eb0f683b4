package dev.ridgeline.model;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Workers;
import java.util.Arrays;
import java.util.List;

/**
 * Many texts over the workers, each on whichever is free, some short ones together: {@link
 * Strategy#COARSE}. Each worker has a lane of its own, planned when the first texts come.
 */
final class CoarseRunner implements Workers.Task, AutoCloseable {
  private static final Scope TEXTS = Scope.of("texts");

  /** Texts that go through a worker together at most, and their tokens: what its cache holds. */
  private static final int TOGETHER = 16;

  private static final int TOGETHER_TOKENS = 192;

  /** Tokens of a text that goes through one worker at most; others are for all workers. */
  private static final int ALONE_TOKENS = 512;

  /** A group has this part of a worker's share of all texts that are left: the last are short. */
  private static final int PART_OF_SHARE = 4;

  private final Encoder encoder;
  private final Device device;
  private final Passes passes;
  private final Workers workers;

  /** One per worker; null before the first texts. */
  private volatile Lane[] lanes;

  private List<? extends CharSequence> texts;
  private float[] to;

  /** Where groups of texts end. */
  private int[] ends = new int[64];

  private int groups;

  CoarseRunner(Encoder encoder, Device device, Passes passes) {
    this.encoder = encoder;
    this.device = device;
    this.passes = passes;
    this.workers = Workers.of(device.batches());
  }

  /** What one worker needs. */
  static Lane lane(Encoder encoder, Device alone, int dimensions) {
    int tokens = Math.min(encoder.context(), ALONE_TOKENS);
    int usual = Math.min(tokens, TOGETHER_TOKENS);
    return new Lane(encoder, alone, tokens, usual, TOGETHER, dimensions);
  }

  /**
   * Works on all texts.
   *
   * @param packed where all workers work on what is too long for one of them
   */
  void run(List<? extends CharSequence> texts, float[] to, Lane packed) {
    begin(texts, to);
    try {
      workers.each(this, groups);
      for (Lane lane : lanes) {
        for (int text = lane.left(); text >= 0; text = lane.left()) {
          passes.one(packed, texts, text, to);
        }
      }
    } finally {
      this.texts = null;
      this.to = null;
    }
  }

  private void begin(List<? extends CharSequence> texts, float[] to) {
    if (lanes == null) {
      Device alone = device.serial();
      Lane[] all = new Lane[workers.count()];
      for (int i = 0; i < all.length; i++) all[i] = lane(encoder, alone, passes.dimensions());
      lanes = all;
    }
    for (Lane lane : lanes) lane.forgetLeft();
    this.texts = texts;
    this.to = to;
    groups = 0;
    for (int done = 0; done < texts.size(); done = ends[groups++]) {
      if (groups == ends.length) ends = Arrays.copyOf(ends, 2 * groups);
      int part = (texts.size() - done) / (workers.count() * PART_OF_SHARE);
      ends[groups] = done + Math.clamp(part, 1, TOGETHER);
    }
  }

  @Override
  public void run(int worker, int from, int end) {
    Lane lane = lanes[worker];
    lane.user = Thread.currentThread();
    try {
      for (int i = from; i < end; i++) {
        try (var _ = Profiler.scope(TEXTS)) {
          passes.together(lane, texts, i == 0 ? 0 : ends[i - 1], ends[i], to);
        }
      }
    } finally {
      lane.user = null;
    }
  }

  /** Whether a thread works on texts right now. */
  boolean isWorking(Thread thread) {
    Lane[] all = lanes;
    if (all != null) for (Lane lane : all) if (lane.user == thread) return true;
    return false;
  }

  @Override
  public void close() {
    if (lanes != null) for (Lane lane : lanes) lane.close();
  }
}
