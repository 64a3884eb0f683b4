package dev.ridgeline.profiler;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;

/**
 * An async-profiler that runs alongside a session. It writes a recording whose times are those of
 * {@link System#nanoTime}; twice a second the part that is there is read and joined to scopes,
 * while lanes still remember them.
 */
final class AsyncSampler {
  private static final long READ_MILLIS = 500;

  /** A recording that has grown this large is started over, which loses a few samples. */
  private static final long MOST_BYTES = 64L << 20;

  /** Bytes between two samples of allocation. */
  private static final long ALLOCATION_BYTES = 512 << 10;

  /**
   * A timer fires at ticks of the kernel, at most 10 ms apart, and what it missed in between is not
   * in the recording: a shorter period would not be what a sample stands for.
   */
  private static final Duration TIMER_PERIOD = Duration.ofMillis(10);

  /** What each part of a recording must say nothing about: the machine, libraries, properties. */
  private static final int NO_FACTS = 0x1f;

  /**
   * A way to sample: its name for readers, for async-profiler, and what comes about of a period.
   */
  private record Engine(String name, String event, Sampling options) {}

  private final AsyncProfiler profiler;
  private final SampleJoin join;
  private final Engine engine;
  private final String name;
  private final Thread reader = new Thread(this::read, OwnThreads.PREFIX + "async samples");

  // Below: guarded by this.
  private RecordedChunks chunks;
  private long lost;
  private boolean running;
  private IOException failure;

  private AsyncSampler(Sampling options, SampleJoin join) throws IOException {
    this.profiler = options.async();
    this.join = join;
    String version = profiler.execute("version").strip().lines().findFirst().orElse("").strip();
    this.engine = startAny(engines(options));
    this.name =
        "async-profiler %s, %s"
            .formatted(version.replaceAll("^.*?(\\d[\\w.]*).*$", "$1"), engine.name);
    running = true;
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts to sample; an IllegalStateException says in one line why that cannot be. */
  static AsyncSampler start(Sampling options, SampleJoin join) {
    try {
      return new AsyncSampler(options, join);
    } catch (IOException e) {
      throw new IllegalStateException("async-profiler cannot write: " + e.getMessage(), e);
    }
  }

  /** The file of our recording next to that of the flight recorder. */
  static Path beside(Path recording) {
    String name = recording.getFileName().toString().replaceFirst("\\.jfr$", "");
    return recording.resolveSibling(name + "-async.jfr");
  }

  /** What of these options' limit may be ours. */
  static long mostBytes(Sampling options) {
    return Math.min(MOST_BYTES, options.recordingBytes() / 2);
  }

  /** The best way first. */
  private List<Engine> engines(Sampling options) throws IOException {
    if (options.cpu() != Samples.Source.ASYNC) {
      return List.of(new Engine("allocation", "", options));
    }
    if (options.event() != Samples.Event.CPU) {
      return List.of(new Engine("perf events", options.event().id(), options));
    }
    String offered = profiler.execute("list");
    Sampling timed =
        options.period().compareTo(TIMER_PERIOD) < 0 ? options.withPeriod(TIMER_PERIOD) : options;
    List<Engine> engines = new ArrayList<>();
    if (offered.contains("Perf events:")) engines.add(new Engine("perf events", "cpu", options));
    for (String timer : List.of("ctimer", "itimer")) {
      if (offered.contains(timer)) engines.add(new Engine(timer, timer, timed));
    }
    return engines;
  }

  private Engine startAny(List<Engine> engines) throws IOException {
    IllegalStateException refusal = null;
    for (Engine candidate : engines) {
      try {
        chunks = begin(candidate);
        return candidate;
      } catch (IllegalStateException e) {
        // The first has the most to say.
        if (refusal == null) refusal = e;
      }
    }
    if (refusal == null) throw new IllegalStateException("async-profiler offers no CPU samples");
    Samples.Event event = engines.getFirst().options.event();
    throw new IllegalStateException(
        (event == Samples.Event.CPU ? "async-profiler: " : "no samples by " + event.words() + ": ")
            + refusal.getMessage().strip().lines().findFirst().orElse("it does not say why")
            + (event == Samples.Event.CPU ? "" : "; why: ridgeline doctor"),
        refusal);
  }

  private RecordedChunks begin(Engine how) throws IOException {
    Path file = Files.createTempFile("ridgeline-async-", ".jfr");
    try {
      StringBuilder command = new StringBuilder("start,jfr,clock=monotonic,loglevel=none,quiet");
      command.append(",jfropts=").append(NO_FACTS);
      if (!how.event.isEmpty()) command.append(",event=").append(how.event);
      if (how.options.cpu() != Samples.Source.NONE) {
        command.append(",interval=").append(how.options.every());
      }
      if (how.options.allocationsPerSecond() > 0) {
        command.append(",alloc=").append(ALLOCATION_BYTES);
      }
      if (file.toString().matches(".*[,%].*")) {
        throw new IllegalStateException("java.io.tmpdir has a , or % in it, which it cannot read");
      }
      long before = System.nanoTime();
      profiler.execute(command.append(",file=").append(file).toString());
      return new RecordedChunks(file, before, System.nanoTime());
    } finally {
      // Open files need no name; nothing is left behind, however the program ends.
      Files.deleteIfExists(file);
    }
  }

  private void read() {
    try {
      while (true) {
        Thread.sleep(READ_MILLIS);
        synchronized (this) {
          if (!running) return;
          profiler.execute("dump,jfr");
          readChunks();
          if (chunks.position() > mostBytes(engine.options)) beginAnew();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | IllegalStateException e) {
      fail(e);
    }
  }

  private synchronized void fail(Exception e) {
    if (failure == null) {
      failure = e instanceof IOException io ? io : new IOException(e.getMessage(), e);
    }
  }

  private void beginAnew() throws IOException {
    profiler.execute("stop");
    readChunks();
    countLost();
    chunks.close();
    chunks = begin(engine);
  }

  private void readChunks() throws IOException {
    chunks.read(this::sample);
  }

  private void sample(RecordedEvent event, long nanos) {
    switch (event.getEventType().getName()) {
      case "jdk.ExecutionSample" ->
          join.cpu(event, event.getThread("sampledThread"), nanos, engine.options.every());
      case "jdk.ObjectAllocationInNewTLAB" ->
          join.allocation(event, nanos, event.getLong("tlabSize"));
      case "jdk.ObjectAllocationOutsideTLAB" ->
          join.allocation(event, nanos, event.getLong("allocationSize"));
      default -> {}
    }
  }

  private void countLost() throws IOException {
    for (String line : profiler.execute("metrics").lines().toList()) {
      String[] words = line.split(" ");
      if (words[0].equals("samples_skipped_total")) lost += Long.parseLong(words[1]);
    }
  }

  /** The options as they came about. */
  Sampling options() {
    return engine.options;
  }

  /** {@code async-profiler 4.5, ctimer}. */
  String engine() {
    return name;
  }

  /** Samples that async-profiler had no room for. */
  synchronized long lost() {
    return lost;
  }

  /** Ends the sampling and reads what is left. */
  synchronized void stop() {
    if (!running) return;
    running = false;
    try {
      profiler.execute("stop");
      readChunks();
      countLost();
    } catch (IOException | IllegalStateException e) {
      fail(e);
    }
    if (failure != null) {
      throw new UncheckedIOException(
          "samples of async-profiler could not be read: " + failure.getMessage(), failure);
    }
  }

  /** Writes what was sampled as a recording of its own. */
  synchronized void copyTo(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      chunks.copyTo(out);
    }
  }

  /** Ends it, however it stands. */
  synchronized void close() {
    try {
      if (running) profiler.execute("stop");
      running = false;
      chunks.close();
    } catch (IOException | IllegalStateException _) {
      // It is not recorded any more, and its file has no name.
    }
  }
}
