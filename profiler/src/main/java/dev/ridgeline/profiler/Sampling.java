package dev.ridgeline.profiler;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Whether and how a session also samples stacks, through JDK Flight Recorder or async-profiler.
 *
 * @param async the async-profiler that takes the samples, null for the flight recorder
 * @param event what makes a thread be sampled; the flight recorder knows CPU time alone
 * @param cpu what takes the samples of running code
 * @param period CPU time between two samples of a thread; the kernel's tick (often 4 ms) is the
 *     least that comes about, and each sample knows what it stands for
 * @param allocationsPerSecond allocation samples at most, 0 for none
 * @param slowScope scopes that took at least this long become events of the recording
 * @param recording where the recording is written at the end, null to keep none
 * @param recordingBytes how large the recording may become; its oldest part goes first
 */
public record Sampling(
    AsyncProfiler async,
    Samples.Event event,
    Samples.Source cpu,
    Duration period,
    int allocationsPerSecond,
    Duration slowScope,
    Path recording,
    long recordingBytes) {

  /** No sampling, the default. */
  public static final Sampling NONE =
      new Sampling(
          null,
          Samples.Event.CPU,
          Samples.Source.NONE,
          Duration.ofMillis(2),
          0,
          Duration.ofMillis(10),
          null,
          64L << 20);

  public Sampling {
    if (cpu == Samples.Source.ASYNC && async == null) {
      throw new IllegalArgumentException("cpu ASYNC: there is no async-profiler");
    }
    if (event != Samples.Event.CPU && cpu != Samples.Source.ASYNC) {
      throw new IllegalArgumentException("event " + event.id() + ": async-profiler alone knows it");
    }
    if (period.compareTo(Duration.ofMillis(1)) < 0 || period.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("period " + period + ": 1 ms to 1 h");
    }
    if (allocationsPerSecond < 0) {
      throw new IllegalArgumentException("allocationsPerSecond " + allocationsPerSecond);
    }
    if (slowScope.isNegative()) throw new IllegalArgumentException("slowScope " + slowScope);
    if (recordingBytes < 1_000_000) {
      throw new IllegalArgumentException("recordingBytes " + recordingBytes + ": at least 1 MB");
    }
  }

  /** Whatever is sampled, async-profiler does it. Say so before what. */
  public Sampling withAsync(AsyncProfiler profiler) {
    return new Sampling(
        profiler, event, cpu, period, allocationsPerSecond, slowScope, recording, recordingBytes);
  }

  /** Samples running code: every 2 ms of CPU time on Linux, else every 10 ms or so. */
  public Sampling withCpu() {
    return withCpu(async == null ? Samples.Source.best() : Samples.Source.ASYNC);
  }

  public Sampling withCpu(Samples.Source source) {
    Duration every = source == Samples.Source.EXECUTION ? Duration.ofMillis(10) : period;
    return new Sampling(
        async, event, source, every, allocationsPerSecond, slowScope, recording, recordingBytes);
  }

  /** Samples running code by an event other than CPU time, through async-profiler. */
  public Sampling withEvent(Samples.Event by) {
    return new Sampling(
        async,
        by,
        Samples.Source.ASYNC,
        period,
        allocationsPerSecond,
        slowScope,
        recording,
        recordingBytes);
  }

  /** Samples allocations, 500 a second at most; async-profiler one for each 512 kB. */
  public Sampling withAllocations() {
    return new Sampling(async, event, cpu, period, 500, slowScope, recording, recordingBytes);
  }

  public Sampling withSlowScope(Duration atLeast) {
    return new Sampling(
        async, event, cpu, period, allocationsPerSecond, atLeast, recording, recordingBytes);
  }

  /** Keeps the recording in a file of up to 64 MB. */
  public Sampling withRecording(Path file) {
    return withRecording(file, recordingBytes);
  }

  public Sampling withRecording(Path file, long bytes) {
    return new Sampling(async, event, cpu, period, allocationsPerSecond, slowScope, file, bytes);
  }

  Sampling withPeriod(Duration every) {
    return new Sampling(
        async, event, cpu, every, allocationsPerSecond, slowScope, recording, recordingBytes);
  }

  /** How much of the event lies between two samples. */
  long every() {
    return event == Samples.Event.CPU ? period.toNanos() : event.period();
  }

  /** Whether there is anything to do. */
  public boolean on() {
    return cpu != Samples.Source.NONE || allocationsPerSecond > 0 || recording != null;
  }
}
