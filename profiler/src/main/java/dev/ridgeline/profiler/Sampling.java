package dev.ridgeline.profiler;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Whether and how a session also samples stacks, through JDK Flight Recorder.
 *
 * @param cpu what takes the samples of running code
 * @param period CPU time between two samples of a thread; the kernel's tick (often 4 ms) is the
 *     least that comes about, and each sample knows what it stands for
 * @param allocationsPerSecond allocation samples at most, 0 for none
 * @param slowScope scopes that took at least this long become events of the recording
 * @param recording where the recording is written at the end, null to keep none
 * @param recordingBytes how large the recording may become; its oldest part goes first
 */
public record Sampling(
    Samples.Source cpu,
    Duration period,
    int allocationsPerSecond,
    Duration slowScope,
    Path recording,
    long recordingBytes) {

  /** No sampling, the default. */
  public static final Sampling NONE =
      new Sampling(
          Samples.Source.NONE, Duration.ofMillis(2), 0, Duration.ofMillis(10), null, 64L << 20);

  public Sampling {
    if (period.compareTo(Duration.ofMillis(1)) < 0 || period.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("period " + period + ": 1 ms to 1 h");
    }
    if (allocationsPerSecond < 0) {
      throw new IllegalArgumentException("allocationsPerSecond " + allocationsPerSecond);
    }
    if (slowScope.isNegative()) throw new IllegalArgumentException("slowScope " + slowScope);
    if (recordingBytes < 1 << 20) {
      throw new IllegalArgumentException("recordingBytes " + recordingBytes + ": at least 1 MB");
    }
  }

  /** Samples running code: every 2 ms of CPU time on Linux, else every 10 ms or so. */
  public Sampling withCpu() {
    return withCpu(Samples.Source.best());
  }

  public Sampling withCpu(Samples.Source source) {
    Duration every = source == Samples.Source.EXECUTION ? Duration.ofMillis(10) : period;
    return new Sampling(source, every, allocationsPerSecond, slowScope, recording, recordingBytes);
  }

  /** Samples allocations, 500 a second at most. */
  public Sampling withAllocations() {
    return new Sampling(cpu, period, 500, slowScope, recording, recordingBytes);
  }

  public Sampling withSlowScope(Duration atLeast) {
    return new Sampling(cpu, period, allocationsPerSecond, atLeast, recording, recordingBytes);
  }

  /** Keeps the recording in a file of up to 64 MB. */
  public Sampling withRecording(Path file) {
    return withRecording(file, recordingBytes);
  }

  public Sampling withRecording(Path file, long bytes) {
    return new Sampling(cpu, period, allocationsPerSecond, slowScope, file, bytes);
  }

  /** Whether there is anything to do. */
  public boolean on() {
    return cpu != Samples.Source.NONE || allocationsPerSecond > 0 || recording != null;
  }
}
