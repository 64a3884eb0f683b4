package dev.ridgeline.profiler;

import dev.ridgeline.profiler.file.WholeFile;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingStream;

/**
 * A flight recording that runs alongside a session, and the join of its samples to scopes.
 *
 * <p>Samples are read while the recording runs, about a second after they were taken, so that a
 * lane needs to remember only the last seconds of its scopes, however long the session.
 */
final class Sampler {
  /** What a recording may have beyond its limit: the part that is being written, 12 MB or so. */
  private static final long CHUNK_BYTES = 16_000_000;

  private static final Runnable COMPARE_CLOCKS = ClockEvent::commitBatch;

  private final Sampling options;
  private final RecordingStream stream = new RecordingStream();
  private final ScopeEvent.Moment started;

  private final SampleJoin join = new SampleJoin();

  /** Null when the flight recorder takes all samples. */
  private final AsyncSampler async;

  private final long firstNewThread = Thread.ofPlatform().unstarted(() -> {}).threadId();

  // Below: guarded by this.
  private final Set<Long> seen = new HashSet<>();
  private final SampleClock clock = new SampleClock();
  private final LiveObjects live = new LiveObjects();
  private long lost;
  private long failed;

  /** Starts the recording. */
  Sampler(Sampling options) {
    this.options = options;
    boolean begun = false;
    AsyncSampler other = null;
    try {
      if (options.async() != null) other = AsyncSampler.start(options, join);
      async = other;
      record();
      begun = true;
    } finally {
      if (!begun) stream.close();
      if (!begun && other != null) other.close();
    }
    started = ScopeEvent.Moment.now();
  }

  private void record() {
    if (!FlightRecorder.isAvailable()) {
      throw new IllegalStateException("no flight recorder in this JVM: sampling needs it");
    }
    enableEvents();
    if (options.recording() != null) {
      long others = async == null ? 0 : AsyncSampler.mostBytes(options);
      stream.setMaxSize(Math.max(1, options.recordingBytes() - others - CHUNK_BYTES));
    }
    FlightRecorder.addPeriodicEvent(ClockEvent.class, COMPARE_CLOCKS);
    startReading();
    ClockEvent.commitBatch();
  }

  /**
   * Not startAsync: its thread would keep a program from ending whose session nobody stops. Returns
   * when events are recorded.
   */
  private void startReading() {
    Thread reader = new Thread(stream::start, OwnThreads.PREFIX + "samples of ridgeline");
    reader.setDaemon(true);
    reader.start();
    while (!new ClockEvent().isEnabled()) {
      if (!reader.isAlive()) throw new IllegalStateException("the flight recorder did not start");
      LockSupport.parkNanos(100_000);
    }
  }

  private void enableEvents() {
    stream.enable(ClockEvent.class).with("period", "1 s");
    on("ridgeline.Clock", this::compareClocks);
    stream.enable(ScopeEvent.class);
    stream.enable(ScopeTotalEvent.class);
    switch (options.cpu()) {
      case NONE, ASYNC -> {}
      case CPU_TIME -> {
        stream.enable("jdk.CPUTimeSample").with("throttle", options.period().toNanos() + " ns");
        stream.enable("jdk.CPUTimeSamplesLost");
        on("jdk.CPUTimeSample", this::cpuTimeSample);
        on("jdk.CPUTimeSamplesLost", event -> lost += event.getInt("lostSamples"));
      }
      case EXECUTION -> {
        stream.enable("jdk.ExecutionSample").withPeriod(options.period());
        stream.enable("jdk.NativeMethodSample").withPeriod(options.period());
        on("jdk.ExecutionSample", this::executionSample);
        on("jdk.NativeMethodSample", this::executionSample);
      }
    }
    if (options.allocationsPerSecond() > 0 && async == null) {
      stream
          .enable("jdk.ObjectAllocationSample")
          .with("throttle", options.allocationsPerSecond() + "/s");
      on("jdk.ObjectAllocationSample", this::allocationSample);
      // Written at the end. Without a cutoff of 0 it would look for the way to each object.
      stream.enable("jdk.OldObjectSample").with("cutoff", "0 ns");
      on("jdk.OldObjectSample", this::oldObject);
    }
    stream.enable("jdk.Deoptimization").withoutStackTrace();
    on("jdk.Deoptimization", this::deoptimization);
    if (options.recording() != null) {
      stream.enable("jdk.GarbageCollection");
      stream.enable("jdk.GCHeapSummary");
      stream.enable("jdk.JVMInformation");
      stream.enable("jdk.CPUInformation");
    }
  }

  private void on(String event, Consumer<RecordedEvent> action) {
    stream.onEvent(
        event,
        recorded -> {
          synchronized (this) {
            action.accept(recorded);
          }
        });
  }

  /** Samples from now on belong to this session. */
  void attach(Session next) {
    join.attach(next);
  }

  private void compareClocks(RecordedEvent event) {
    clock.add(event.getStartTime(), event.getLong("before"), event.getLong("after"));
  }

  private void cpuTimeSample(RecordedEvent event) {
    if (event.getBoolean("failed")) failed++;
    cpu(event, event.getThread("eventThread"), event.getDuration("samplingPeriod").toNanos());
  }

  private void executionSample(RecordedEvent event) {
    cpu(event, event.getThread("sampledThread"), options.period().toNanos());
  }

  private void cpu(RecordedEvent event, RecordedThread thread, long nanos) {
    if (clock.known()) join.cpu(event, thread, clock.nanoTime(event.getStartTime()), nanos);
  }

  private void allocationSample(RecordedEvent event) {
    RecordedThread thread = event.getThread("eventThread");
    long bytes = isFirst(thread) ? 0 : event.getLong("weight");
    if (clock.known()) join.allocation(event, clock.nanoTime(event.getStartTime()), bytes);
  }

  private void oldObject(RecordedEvent event) {
    if (clock.known()) join.live(event, clock.nanoTime(event.getInstant("allocationTime")), live);
  }

  /**
   * Whether a sample is the first of a thread that is older than the recording: it stands for all
   * that thread has allocated since the last recording, or ever.
   */
  private boolean isFirst(RecordedThread thread) {
    return thread != null
        && thread.getJavaThreadId() < firstNewThread
        && seen.add(thread.getJavaThreadId());
  }

  private void deoptimization(RecordedEvent event) {
    if (clock.known()) join.deoptimization(event, clock.nanoTime(event.getStartTime()));
  }

  /** Writes a call of a scope that took long into the recording. */
  void slowScope(LiveNode node, long startNanos, long nanos, long bytes, long flops, long heap) {
    ScopeEvent event = new ScopeEvent();
    if (!event.isEnabled()) return;
    event.name = node.scope.name();
    event.path = node.pathText();
    event.took = nanos;
    event.bytes = bytes;
    event.flops = flops;
    event.allocated = heap;
    event.commit(startNanos, started);
  }

  /** What was sampled so far, up to about a second ago. */
  synchronized Samples samples(List<Profile.Lane> lanes) {
    if (async != null) {
      Samples.Quality measured = new Samples.Quality(async.lost(), 0, 0, join.ownWeight(), 0);
      return join.samples(async.options(), async.engine(), lanes, measured);
    }
    Samples.Quality measured =
        new Samples.Quality(lost, failed, 0, join.ownWeight(), clock.errorNanos());
    return join.samples(options, "JDK Flight Recorder", lanes, measured);
  }

  /** Ends the recording and reads what is left of it, which takes up to a second. */
  Samples stop(Profile profile) {
    try {
      if (async != null) async.stop();
      ScopeTotalEvent.commitAll(profile.tree());
      ClockEvent.commitBatch();
      stream.stop();
      if (options.recording() != null) write(options.recording());
      return withLive(profile, samples(profile.lanes()));
    } finally {
      FlightRecorder.removePeriodicEvent(COMPARE_CLOCKS);
      stream.close();
      if (async != null) async.close();
    }
  }

  private synchronized Samples withLive(Profile profile, Samples samples) {
    return samples.withLive(live.rows(profile, samples, join.session()::ranOn));
  }

  private void write(Path file) {
    WholeFile.make(file, stream::dump);
    // Not into the same file: readers take the ticks of a file to have begun together.
    if (async != null) WholeFile.make(AsyncSampler.beside(file), async::copyTo);
  }
}
