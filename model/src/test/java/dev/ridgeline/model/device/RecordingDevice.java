package dev.ridgeline.model.device;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.DeviceQueue;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.profiler.Submission;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Pooled;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.StoredTensor;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A device as a GPU is one: operations are only asked for, and done later, on a thread of its own
 * and by a clock of its own. The arithmetic is the processor's, so that results have its bits.
 *
 * <p>Whatever is asked for has the shapes of that moment: rows in use and texts are kept with it.
 */
final class RecordingDevice implements Device {
  static final String QUEUE = "recording:0";

  /** Its clock runs three times as fast as the program's, and began long ago. */
  private static final long EPOCH = 987_654_321_000L;

  private static final int SPEED = 3;
  private static final Scope WAIT = Scope.of("wait");

  /** Operations that all devices have done, and the time that they took, by their own clock. */
  static final AtomicLong OPERATIONS = new AtomicLong();

  static final AtomicLong TICKS = new AtomicLong();

  private final DeviceChoice choice;
  private final Device cpu = Device.cpu(1);
  private final long opened = System.nanoTime();
  private final DeviceQueue queue = new DeviceQueue(QUEUE);
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread made = new Thread(work, "recording-device");
            made.setDaemon(true);
            return made;
          });

  private volatile RuntimeException failure;

  RecordingDevice(DeviceChoice choice) {
    this.choice = choice;
  }

  private long ticks() {
    return SPEED * (System.nanoTime() - opened) + EPOCH;
  }

  private long nanos(long ticks) {
    return opened + (ticks - EPOCH) / SPEED;
  }

  /** Asks for an operation. */
  private void ask(Runnable operation, Tensor... operands) {
    int[] rows = Arrays.stream(operands).mapToInt(each -> each == null ? 0 : each.rows()).toArray();
    Submission asked = new Submission();
    Profiler.submit(asked);
    thread.execute(
        () -> {
          for (int i = 0; i < rows.length; i++) {
            if (operands[i] != null) inner(operands[i]).rows(rows[i]);
          }
          long begin = ticks();
          try {
            operation.run();
          } catch (RuntimeException e) {
            failure = e;
          }
          long end = ticks();
          OPERATIONS.incrementAndGet();
          TICKS.addAndGet(end - begin);
          queue.done(asked, nanos(begin), nanos(end));
        });
  }

  /** Waits until all is done that was asked for. */
  void await() {
    if (thread.isShutdown()) return;
    try (var _ = Profiler.scope(WAIT)) {
      CompletableFuture.runAsync(() -> {}, thread).join();
    }
    if (failure != null) throw failure;
  }

  private static Tensor inner(Tensor tensor) {
    return tensor == null ? null : ((RecordingTensor) tensor).inner;
  }

  private Tensor outer(Tensor inner) {
    return new RecordingTensor(this, inner);
  }

  /** The same texts, which the program may change meanwhile. */
  private Sequences kept(Sequences texts) {
    Sequences copy = new Sequences(cpu, "texts of an operation", texts.count(), texts.rows());
    for (int i = 0; i < texts.count(); i++) {
      if (texts.pages(i) == null) copy.add(texts.length(i));
      else copy.add(texts.length(i), texts.past(i), texts.pages(i).clone());
    }
    return copy;
  }

  @Override
  public DeviceChoice choice() {
    return choice;
  }

  @Override
  public String description() {
    return "asynchronous, " + cpu.description();
  }

  @Override
  public Map<String, String> plan() {
    Map<String, String> plan = new LinkedHashMap<>(cpu.plan());
    plan.put("device", name());
    return plan;
  }

  @Override
  public int batches() {
    return 1;
  }

  @Override
  public int tokens() {
    return cpu.tokens();
  }

  @Override
  public long memory() {
    return cpu.memory();
  }

  @Override
  public Tensor allocate(String owner, TensorType type, int rows, int columns) {
    return outer(cpu.allocate(owner, type, rows, columns));
  }

  @Override
  public Tensor attentionWorkspace(String owner, int longest) {
    return outer(cpu.attentionWorkspace(owner, longest));
  }

  @Override
  public Tensor cache(
      String owner, Layout layout, TensorType type, int pages, int heads, int width) {
    return outer(cpu.cache(owner, layout, type, pages, heads, width));
  }

  @Override
  public Tensor weights(StoredTensor tensor, Layout layout, Precision precision) {
    return outer(cpu.weights(tensor, layout, precision));
  }

  @Override
  public void write(Tensor to, int[] from, int offset) {
    int rows = to.rows();
    int[] copy = Arrays.copyOfRange(from, offset, offset + rows * to.columns());
    thread.execute(() -> cpu.write(inner(to).rows(rows), copy, 0));
  }

  @Override
  public void write(Tensor to, float[] from, int offset) {
    int rows = to.rows();
    float[] copy = Arrays.copyOfRange(from, offset, offset + rows * to.columns());
    thread.execute(() -> cpu.write(inner(to).rows(rows), copy, 0));
  }

  @Override
  public void read(Tensor from, int row, int rows, float[] to, int offset) {
    await();
    cpu.read(inner(from).rows(from.rows()), row, rows, to, offset);
  }

  @Override
  public boolean plans() {
    return false;
  }

  @Override
  public boolean reaches(Tensor tensor) {
    return tensor.device() == this;
  }

  @Override
  public Device serial() {
    return this;
  }

  @Override
  public void close() {
    await();
    thread.shutdown();
  }

  // Operations.

  @Override
  public Arithmetic form(TensorType type, int rows) {
    return cpu.form(type, rows);
  }

  @Override
  public void rows(Tensor out, Tensor table, Tensor ids) {
    ask(() -> cpu.rows(inner(out), inner(table), inner(ids)), out, table, ids);
  }

  @Override
  public void matmul(Tensor out, Tensor x, Tensor matrix, Tensor biasOrNull) {
    ask(
        () -> cpu.matmul(inner(out), inner(x), inner(matrix), inner(biasOrNull)),
        out,
        x,
        matrix,
        biasOrNull);
  }

  @Override
  public void matmul(Tensor x, Projection[] all) {
    Projection[] theirs =
        Stream.of(all)
            .map(
                each ->
                    new Projection(
                        inner(each.out()), inner(each.matrix()), inner(each.biasOrNull())))
            .toArray(Projection[]::new);
    Tensor[] operands =
        Stream.concat(Stream.of(x), Stream.of(all).map(Projection::out)).toArray(Tensor[]::new);
    ask(() -> cpu.matmul(inner(x), theirs), operands);
  }

  @Override
  public void add(Tensor out, Tensor a, Tensor b) {
    ask(() -> cpu.add(inner(out), inner(a), inner(b)), out, a, b);
  }

  @Override
  public void multiply(Tensor out, Tensor a, Tensor b) {
    ask(() -> cpu.multiply(inner(out), inner(a), inner(b)), out, a, b);
  }

  @Override
  public void softmax(Tensor out, Tensor x) {
    ask(() -> cpu.softmax(inner(out), inner(x)), out, x);
  }

  @Override
  public void scale(Tensor out, Tensor a, float factor) {
    ask(() -> cpu.scale(inner(out), inner(a), factor), out, a);
  }

  @Override
  public void norm(
      Tensor out, Tensor x, Tensor yOrNull, Tensor weight, Tensor biasOrNull, float epsilon) {
    ask(
        () ->
            cpu.norm(
                inner(out), inner(x), inner(yOrNull), inner(weight), inner(biasOrNull), epsilon),
        out,
        x,
        yOrNull);
  }

  @Override
  public void rmsNormHeads(Tensor x, int heads, Tensor weight, float epsilon) {
    ask(() -> cpu.rmsNormHeads(inner(x), heads, inner(weight), epsilon), x);
  }

  @Override
  public void apply(Activation activation, Tensor out, Tensor x, Tensor upOrNull) {
    ask(() -> cpu.apply(activation, inner(out), inner(x), inner(upOrNull)), out, x, upOrNull);
  }

  @Override
  public void rope(Tensor x, int heads, Tensor positions, Tensor angles, Pairing pairing) {
    ask(
        () -> cpu.rope(inner(x), heads, inner(positions), inner(angles), pairing),
        x,
        positions,
        angles);
  }

  @Override
  public void attention(
      Tensor out, Tensor q, Tensor k, Tensor v, Sequences texts, Heads heads, Tensor workspace) {
    Sequences kept = kept(texts);
    ask(
        () -> {
          try (kept) {
            cpu.attention(inner(out), inner(q), inner(k), inner(v), kept, heads, inner(workspace));
          }
        },
        out,
        q,
        k,
        v);
  }

  @Override
  public void store(Tensor keys, Tensor values, Tensor k, Tensor v, Sequences texts, int keyHeads) {
    Sequences kept = kept(texts);
    ask(
        () -> {
          try (kept) {
            cpu.store(inner(keys), inner(values), inner(k), inner(v), kept, keyHeads);
          }
        },
        k,
        v);
  }

  @Override
  public void copyPage(Tensor cache, int from, int to) {
    ask(() -> cpu.copyPage(inner(cache), from, to));
  }

  @Override
  public void cachedAttention(
      Tensor out,
      Tensor q,
      Tensor keys,
      Tensor values,
      Sequences texts,
      Heads heads,
      Tensor workspace) {
    Sequences kept = kept(texts);
    ask(
        () -> {
          try (kept) {
            cpu.cachedAttention(
                inner(out), inner(q), inner(keys), inner(values), kept, heads, inner(workspace));
          }
        },
        out,
        q);
  }

  @Override
  public void pool(Pooled pooled, Tensor out, Tensor x, Sequences texts) {
    Sequences kept = kept(texts);
    ask(
        () -> {
          try (kept) {
            cpu.pool(pooled, inner(out), inner(x), kept);
          }
        },
        out,
        x);
  }

  @Override
  public void normalize(Tensor out, Tensor x) {
    ask(() -> cpu.normalize(inner(out), inner(x)), out, x);
  }
}
