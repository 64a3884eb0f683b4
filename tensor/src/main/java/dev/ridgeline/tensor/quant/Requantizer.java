package dev.ridgeline.tensor.quant;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufException;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Makes a model file of another type out of a model file.
 *
 * <p>Rows go through buffers of some megabytes and are spread over workers; the result does not
 * depend on how many.
 */
public final class Requantizer {
  /** Of f32 numbers: large enough to spread, small enough to stay in a cache of the last level. */
  private static final long CHUNK_BYTES = 8 << 20;

  /** Operations for a number, roughly: a K-quant tries some twenty scales. */
  private static final int COST = 200;

  private static final int QUANTIZATION_VERSION = 2;

  /**
   * A tensor and what becomes of it.
   *
   * @param index from 0, in the file's order
   */
  public record Step(int index, int count, GgufTensor tensor, TensorType to) {}

  private final Gguf file;
  private final Workers workers;
  private final MemorySegment numbers;
  private final MemorySegment blocks;

  private Requantizer(Gguf file, Workers workers, List<Step> steps, Arena arena) {
    this.file = file;
    this.workers = workers;
    long rowBytes = steps.stream().mapToLong(s -> 4 * s.tensor.columns()).max().orElse(1);
    long bytes = Math.max(CHUNK_BYTES, rowBytes);
    this.numbers = arena.allocate(bytes, Memory.ALIGNMENT);
    this.blocks = arena.allocate(bytes, Memory.ALIGNMENT); // no type is larger than f32
  }

  /** What each tensor of a file would become. */
  public static List<Step> plan(Gguf file, FileType type) {
    Mix mix = Mix.of(type, file);
    List<GgufTensor> tensors = file.tensors();
    return java.util.stream.IntStream.range(0, tensors.size())
        .mapToObj(i -> new Step(i, tensors.size(), tensors.get(i), mix.of(tensors.get(i))))
        .toList();
  }

  /**
   * Writes a file of another type.
   *
   * @param begun is told each tensor as its turn comes
   */
  public static void quantize(
      Gguf file, FileType type, Path to, Workers workers, Consumer<Step> begun) {
    int parts = file.metadata().integer("split.count", 1);
    if (parts > 1) {
      throw new GgufException(
          file.path(), "is one of %d parts of a model: join them first".formatted(parts));
    }
    List<Step> steps = plan(file, type);
    try (Arena arena = Arena.ofShared()) {
      Requantizer requantizer = new Requantizer(file, workers, steps, arena);
      GgufWriter writer =
          new GgufWriter()
              .putAll(file.metadata())
              .put("general.quantization_version", QUANTIZATION_VERSION)
              .put("general.file_type", type.code());
      for (Step step : steps) {
        writer.tensor(
            step.tensor.name(),
            step.to,
            step.tensor.shape().stream().mapToLong(Long::longValue).toArray(),
            out -> {
              begun.accept(step);
              requantizer.write(step, out);
            });
      }
      writer.write(to);
    }
  }

  private void write(Step step, WritableByteChannel out) throws IOException {
    GgufTensor tensor = step.tensor;
    long columns = tensor.columns();
    long most = Math.max(1, Math.min(CHUNK_BYTES / (4 * columns), Integer.MAX_VALUE));
    boolean same = tensor.type() == step.to;
    for (long row = 0; row < tensor.rows(); row += most) {
      int rows = (int) Math.min(most, tensor.rows() - row);
      if (!converted(step, row, rows)) {
        throw new GgufException(
            file.path(),
            "%s: a number is not finite: the file is damaged".formatted(tensor.name()));
      }
      if (same) continue;
      ByteBuffer done = blocks.asSlice(0, rows * step.to.bytes(columns)).asByteBuffer();
      while (done.hasRemaining()) out.write(done);
    }
    if (same) GgufWriter.Source.of(tensor.data()).write(out);
    file.release(tensor);
  }

  /**
   * Rows of the file into the buffer of blocks, unless their type stays.
   *
   * @return false where one of their numbers is infinite or NaN, which blocks would hide
   */
  private boolean converted(Step step, long first, int rows) {
    boolean same = step.tensor.type() == step.to;
    var finite = new AtomicBoolean(true);
    long columns = step.tensor.columns();
    long fromBytes = step.tensor.type().bytes(columns);
    long toBytes = step.to.bytes(columns);
    long source = step.tensor.address() + first * fromBytes;
    Workers.Task task =
        (_, from, to) -> {
          long count = (to - from) * columns;
          long middle = numbers.address() + 4 * from * columns;
          long target = blocks.address() + from * toBytes;
          Quantizer.dequantize(step.tensor.type(), source + from * fromBytes, count, middle);
          if (!finite(middle, count)) finite.set(false);
          else if (!same) Quantizer.quantize(step.to, middle, to - from, columns, target);
        };
    workers.run(task, rows, COST * columns);
    return finite.get();
  }

  private static boolean finite(long numbers, long count) {
    float none = 0;
    for (long i = 0; i < count; i++) none += 0 * Memory.ALL.get(JAVA_FLOAT, numbers + 4 * i);
    return none == 0;
  }
}
