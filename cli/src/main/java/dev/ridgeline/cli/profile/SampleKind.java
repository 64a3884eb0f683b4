package dev.ridgeline.cli.profile;

import dev.ridgeline.profiler.AsyncProfiler;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Sampling;

/** What {@code --sample} samples. */
enum SampleKind {
  NONE,
  CPU,
  ALLOC,
  ALL;

  boolean cpu() {
    return this == CPU || this == ALL;
  }

  /**
   * How a session samples that much.
   *
   * @param profiler takes the samples, null for the flight recorder
   */
  Sampling sampling(AsyncProfiler profiler, Samples.Event event) {
    Sampling sampling = Sampling.NONE.withAsync(profiler);
    if (cpu()) sampling = sampling.withCpu();
    if (event != Samples.Event.CPU) sampling = sampling.withEvent(event);
    if (this == ALLOC || this == ALL) sampling = sampling.withAllocations();
    return sampling;
  }
}
