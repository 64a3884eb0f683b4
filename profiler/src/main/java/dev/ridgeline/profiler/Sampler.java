package dev.ridgeline.profiler;

import dev.ridgeline.profiler.SampleTable.Owner;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingStream;

/**
 * A flight recording that runs beside a session, and the join of its samples to scopes.
 *
 * <p>Samples are read while the recording runs, about a second after they were taken, so that a
 * lane needs to remember only the last seconds of its scopes, however long the session.
 */
final class Sampler {
  /** Threads of the flight recorder itself. */
  private static final String OWN_THREADS = "JFR ";

  /** What a recording may have beyond its limit: the part that is being written, 12 MB or so. */
  private static final long CHUNK_BYTES = 16_000_000;

  private static final Runnable COMPARE_CLOCKS = ClockEvent::commitBatch;

  private final Sampling options;
  private final RecordingStream stream = new RecordingStream();
  private final ScopeEvent.Moment started;

  /** Null until the session is there; samples before it are nobody's. */
  private volatile Session session;

  private final long firstNewThread = Thread.ofPlatform().unstarted(() -> {}).threadId();

  // Below: guarded by this.
  private final Set<Long> seen = new HashSet<>();
  private final SampleTable table = new SampleTable();
  private final SampleClock clock = new SampleClock();
  private final LiveObjects live = new LiveObjects();
  private long lost;
  private long failed;
  private long ownNanos;

  /** Starts the recording. */
  Sampler(Sampling options) {
    this.options = options;
    if (!FlightRecorder.isAvailable()) {
      throw new IllegalStateException("no flight recorder in this JVM: sampling needs it");
    }
    enableEvents();
    if (options.recording() != null) {
      stream.setMaxSize(Math.max(1, options.recordingBytes() - CHUNK_BYTES));
    }
    FlightRecorder.addPeriodicEvent(ClockEvent.class, COMPARE_CLOCKS);
    startReading();
    ClockEvent.commitBatch();
    started = ScopeEvent.Moment.now();
  }

  /**
   * Not startAsync: its thread would keep a program from ending whose session nobody stops. Returns
   * when events are recorded.
   */
  private void startReading() {
    Thread reader = new Thread(stream::start, OWN_THREADS + "samples of ridgeline");
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
      case NONE -> {}
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
    if (options.allocationsPerSecond() > 0) {
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
    session = next;
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
    if (thread != null && isOwn(thread)) {
      ownNanos += nanos;
      return;
    }
    Owner owner = owner(event, thread);
    if (owner != null) table.cpu(owner, stack(event), nanos);
  }

  private void allocationSample(RecordedEvent event) {
    RecordedThread thread = event.getThread("eventThread");
    if (thread != null && isOwn(thread)) return;
    long bytes = isFirst(thread) ? 0 : event.getLong("weight");
    Owner owner = owner(event, thread);
    if (owner == null) return;
    table.allocation(owner, stack(event), typeName(event.getClass("objectClass")), bytes);
  }

  private void oldObject(RecordedEvent event) {
    RecordedThread thread = event.getThread("eventThread");
    if (thread == null || isOwn(thread)) return;
    Owner owner = owner(event.getInstant("allocationTime"), thread);
    RecordedObject object = event.getValue("object");
    if (owner == null || object == null) return;
    live.add(
        new LiveObjects.Found(
            owner,
            thread.getJavaThreadId(),
            stack(event),
            typeName(object.<RecordedClass>getValue("type")),
            event.getLong("objectSize")));
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
    RecordedThread thread = event.getThread("eventThread");
    if (thread != null && isOwn(thread)) return;
    Owner owner = owner(event, thread);
    RecordedMethod method = event.getValue("method");
    if (owner == null || method == null) return;
    Location code =
        new Location(
            typeName(method.getType()),
            method.getName(),
            Math.max(0, event.getInt("lineNumber")),
            Kind.COMPILED);
    table.deoptimization(owner, code, event.getString("reason"));
  }

  private static boolean isOwn(RecordedThread thread) {
    String name = thread.getJavaName();
    return name != null && name.startsWith(OWN_THREADS);
  }

  /** The scope that was open on a thread when an event happened; null before the session. */
  private Owner owner(RecordedEvent event, RecordedThread thread) {
    return owner(event.getStartTime(), thread);
  }

  private Owner owner(Instant time, RecordedThread thread) {
    Session recorded = session;
    // The clocks were compared before the session began, and events come in their order.
    if (recorded == null || !clock.known()) return null;
    long nanos = clock.nanoTime(time);
    if (nanos < recorded.startNanos()) return null;
    if (thread == null) return Owner.UNATTRIBUTED;
    return recorded.owner(thread.getJavaThreadId(), thread.isVirtual(), nanos);
  }

  private int stack(RecordedEvent event) {
    RecordedStackTrace trace = event.getStackTrace();
    if (trace == null) return Samples.NO_STACK;
    List<Location> frames = new ArrayList<>();
    for (RecordedFrame frame : trace.getFrames().reversed()) {
      RecordedMethod method = frame.getMethod();
      if (method == null) continue;
      frames.add(
          new Location(
              typeName(method.getType()),
              method.getName(),
              Math.max(0, frame.getLineNumber()),
              kind(frame.getType())));
    }
    return table.stack(frames);
  }

  private static Kind kind(String type) {
    return switch (type) {
      case "Interpreted" -> Kind.INTERPRETED;
      case "Inlined" -> Kind.INLINED;
      case "Native" -> Kind.NATIVE;
      case null, default -> Kind.COMPILED;
    };
  }

  /** A class as source code names it; a hidden one loses its address, which no run repeats. */
  static String typeName(RecordedClass type) {
    return type == null ? "?" : typeName(type.getName());
  }

  static String typeName(String name) {
    if (name.startsWith("[")) {
      return switch (name.charAt(1)) {
            case '[' -> typeName(name.substring(1));
            case 'L' -> name.substring(2, name.length() - 1);
            case 'Z' -> "boolean";
            case 'B' -> "byte";
            case 'C' -> "char";
            case 'S' -> "short";
            case 'I' -> "int";
            case 'J' -> "long";
            case 'F' -> "float";
            default -> "double";
          }
          + "[]";
    }
    int address = Math.max(name.lastIndexOf("/0x"), name.lastIndexOf(".0x"));
    return address < 0 ? name : name.substring(0, address);
  }

  /** Writes a call of a scope that took long into the recording. */
  void slowScope(LiveNode node, long startNanos, long nanos, long bytes, long flops, long heap) {
    ScopeEvent event = new ScopeEvent();
    if (!event.isEnabled()) return;
    event.name = node.scope.name();
    event.path = String.join(" › ", node.path());
    event.took = nanos;
    event.bytes = bytes;
    event.flops = flops;
    event.allocated = heap;
    event.commit(startNanos, started);
  }

  /** What was sampled so far, up to about a second ago. */
  synchronized Samples samples(List<Profile.Lane> lanes) {
    Samples.Quality measured = new Samples.Quality(lost, failed, 0, ownNanos, clock.errorNanos());
    return table.samples(options, lanes, measured);
  }

  /** Ends the recording and reads what is left of it, which takes up to a second. */
  Samples stop(Profile profile) {
    try {
      ScopeTotalEvent.commitAll(profile.tree());
      ClockEvent.commitBatch();
      stream.stop();
      if (options.recording() != null) write(options.recording());
      return withLive(profile, samples(profile.lanes()));
    } finally {
      FlightRecorder.removePeriodicEvent(COMPARE_CLOCKS);
      stream.close();
    }
  }

  private synchronized Samples withLive(Profile profile, Samples samples) {
    Session recorded = session;
    return samples.withLive(live.rows(profile, samples, recorded::ranOn));
  }

  private void write(Path file) {
    Path unfinished = file.resolveSibling(file.getFileName() + ".part");
    try {
      stream.dump(unfinished);
      Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
