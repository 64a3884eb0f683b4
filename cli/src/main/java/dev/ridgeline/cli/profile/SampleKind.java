package dev.ridgeline.cli.profile;

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

  Sampling sampling() {
    Sampling sampling = Sampling.NONE;
    if (cpu()) sampling = sampling.withCpu();
    if (this == ALLOC || this == ALL) sampling = sampling.withAllocations();
    return sampling;
  }
}
