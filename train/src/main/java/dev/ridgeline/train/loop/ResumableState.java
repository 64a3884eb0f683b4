package dev.ridgeline.train.loop;

import dev.ridgeline.profiler.Owned;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.grad.GradDevice;
import dev.ridgeline.train.checkpoint.Checkpoint;
import dev.ridgeline.train.checkpoint.Checkpoints;
import dev.ridgeline.train.checkpoint.TensorSource;
import dev.ridgeline.train.checkpoint.TrainState;
import dev.ridgeline.train.data.Batches;
import dev.ridgeline.train.data.Position;
import dev.ridgeline.train.net.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * All that a training needs to resume to the bit: weights, the optimizer's means, the position in
 * its texts, and the losses so far. It is written to checkpoints and read back.
 *
 * @param digest of configuration and texts
 * @param losses of all steps, those to come included
 */
record ResumableState(
    String digest, Net net, Steps steps, Batches batches, double[] losses, GradDevice device) {
  /** Numbers in a row of a checkpoint: the length of all weights is a multiple of it. */
  private static final int ROW = 16;

  /** A tensor under its name in a checkpoint. */
  private record Part(String name, Tensor tensor) {
    long rows() {
      return tensor.columns() / ROW;
    }
  }

  private List<Part> parts() {
    return List.of(
        new Part("weights", net.parameters().weights()),
        new Part("means", steps.means()),
        new Part("squares", steps.squares()));
  }

  boolean continues(Checkpoint checkpoint) {
    return checkpoint.state().digest().equals(digest);
  }

  void read(Checkpoint checkpoint) {
    for (Part each : parts()) {
      checkpoint.read(
          each.name,
          each.rows(),
          ROW,
          (from, _, block) -> device.write(block, each.tensor, from * ROW));
    }
    TrainState state = checkpoint.state();
    steps.resume(state.step());
    batches.restore(state.position());
    System.arraycopy(state.losses(), 0, losses, 0, Math.min(losses.length, state.losses().length));
  }

  /** Writes a checkpoint. */
  Path write(Checkpoints checkpoints) {
    double[] done = Arrays.copyOf(losses, (int) steps.count());
    List<TensorSource> tensors = new ArrayList<>();
    for (Part each : parts()) {
      tensors.add(
          new TensorSource(
              each.name,
              each.rows(),
              ROW,
              (from, _, block) -> device.read(each.tensor, from * ROW, block)));
    }
    return checkpoints.write(
        new TrainState(steps.count(), batches.position(), digest, done), tensors);
  }

  /** A copy in memory, without the losses. */
  Snapshot snapshot() {
    return new Snapshot(this);
  }

  /** The state when this was made. */
  static final class Snapshot implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final ResumableState of;
    private final List<MemorySegment> numbers = new ArrayList<>();
    private final long step;
    private final Position position;
    private final Owned owned;

    private Snapshot(ResumableState of) {
      this.of = of;
      step = of.steps.count();
      position = of.batches.position();
      long bytes = 0;
      for (Part each : of.parts()) {
        MemorySegment copy = arena.allocate(4L * each.tensor.columns(), 64);
        of.device.read(each.tensor, 0, copy);
        numbers.add(copy);
        bytes += copy.byteSize();
      }
      owned = Profiler.owned("initial weights", bytes);
    }

    void restore() {
      List<Part> parts = of.parts();
      for (int i = 0; i < parts.size(); i++) {
        of.device.write(numbers.get(i), parts.get(i).tensor, 0);
      }
      of.steps.resume(step);
      of.batches.restore(position);
    }

    @Override
    public void close() {
      owned.close();
      arena.close();
    }
  }

  /** A digest of all weights: the first 16 bytes of their SHA-256. */
  String fingerprint() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      Tensor weights = net.parameters().weights();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment buffer = arena.allocate(1 << 20);
        long all = 4L * weights.columns();
        for (long at = 0; at < all; at += buffer.byteSize()) {
          MemorySegment part = buffer.asSlice(0, Math.min(buffer.byteSize(), all - at));
          device.read(weights, at / 4, part);
          sha.update(part.asByteBuffer());
        }
      }
      return HexFormat.of().formatHex(sha.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every JDK has it
    }
  }
}
