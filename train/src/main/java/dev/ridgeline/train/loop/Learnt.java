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
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * All that a training would lose: weights, means of the optimizer, where it is in its texts, and
 * losses so far. It goes into checkpoints and comes back, to the bit.
 *
 * @param digest of configuration and texts
 * @param losses of all steps, those to come among them
 */
record Learnt(
    String digest, Net net, Steps steps, Batches batches, double[] losses, GradDevice device) {
  /** Numbers of a row of what a checkpoint has: all weights lie in a multiple of it. */
  private static final int ROW = 16;

  /** A part of it. */
  private record Kept(String name, Tensor tensor) {
    long rows() {
      return tensor.columns() / ROW;
    }
  }

  private List<Kept> kept() {
    return List.of(
        new Kept("weights", net.parameters().weights()),
        new Kept("means", steps.means()),
        new Kept("squares", steps.squares()));
  }

  boolean goesOnFrom(Checkpoint checkpoint) {
    return checkpoint.state().digest().equals(digest);
  }

  void read(Checkpoint checkpoint) {
    for (Kept each : kept()) {
      checkpoint.read(
          each.name,
          each.rows(),
          ROW,
          (from, _, numbers) -> device.write(numbers, each.tensor, from * ROW));
    }
    TrainState state = checkpoint.state();
    steps.resume(state.step());
    batches.restore(state.position());
    System.arraycopy(state.losses(), 0, losses, 0, Math.min(losses.length, state.losses().length));
  }

  /** Writes a checkpoint. */
  Path write(Checkpoints checkpoints) {
    TrainState state =
        new TrainState(
            steps.count(),
            batches.position(),
            new long[0],
            digest,
            Arrays.copyOf(losses, (int) steps.count()));
    List<TensorSource> tensors =
        kept().stream()
            .map(
                each ->
                    new TensorSource(
                        each.name,
                        each.rows(),
                        ROW,
                        (from, to, out) ->
                            device.read(
                                each.tensor, from * ROW, out.asSlice(0, 4L * ROW * (to - from)))))
            .toList();
    return checkpoints.write(state, tensors);
  }

  /** As it is now. */
  Copy copy() {
    return new Copy(this);
  }

  /** What it was when this was made. */
  static final class Copy implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final Learnt of;
    private final List<Kept> kept;
    private final MemorySegment[] numbers;
    private final long step;
    private final Position position;
    private final Owned owned;

    private Copy(Learnt of) {
      this.of = of;
      kept = of.kept();
      numbers = new MemorySegment[kept.size()];
      step = of.steps.count();
      position = of.batches.position();
      long bytes = 0;
      for (int i = 0; i < numbers.length; i++) {
        Tensor tensor = kept.get(i).tensor;
        numbers[i] = arena.allocate(4L * tensor.columns(), 64);
        of.device.read(tensor, 0, numbers[i]);
        bytes += numbers[i].byteSize();
      }
      owned = Profiler.owned("where it began", bytes);
    }

    void restore() {
      for (int i = 0; i < numbers.length; i++) {
        of.device.write(numbers[i], kept.get(i).tensor, 0);
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

  /** All weights in short: the first 16 bytes of their SHA-256. */
  String fingerprint() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      Tensor weights = net.parameters().weights();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment some = arena.allocate(1 << 20);
        long all = 4L * weights.columns();
        for (long at = 0; at < all; at += some.byteSize()) {
          MemorySegment part = some.asSlice(0, Math.min(some.byteSize(), all - at));
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
