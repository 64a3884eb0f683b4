package dev.ridgeline.cli.kernels;

import java.util.List;

/** Which kernels a run has, and how finely they are looked at. */
enum Mode {
  STANDARD("usual sizes", 10),
  DEEP("more sizes, and scopes for panels and passes inside", 20),
  ENHANCED("every operation in every size", 24),
  ALLOCATION("new arrays for results against the same arrays again", 2);

  private final String description;
  private final int seconds;

  Mode(String description, int seconds) {
    this.description = description;
    this.seconds = seconds;
  }

  public String label() {
    return name().toLowerCase();
  }

  public String description() {
    return description;
  }

  /** How long a run takes unless told otherwise. */
  public int seconds() {
    return seconds;
  }

  /** Models that run beside the kernels: the two that SmallMind's profiler has. */
  List<String> models() {
    return switch (this) {
      case DEEP -> List.of("medium");
      case ENHANCED -> List.of("small", "medium");
      case STANDARD, ALLOCATION -> List.of();
    };
  }

  /** Kernels in the order in which they run: small ones first, so that they warm shared code. */
  List<Kernel> kernels(long seed, int threads) {
    Catalogue catalogue = new Catalogue(seed, threads, this == DEEP);
    return switch (this) {
      case STANDARD ->
          catalogue
              .matmul(128, 256, 512, 1024)
              .parallelMatmul(512)
              .softmax(2048)
              .gelu(1_000_000)
              .layerNorm(1024)
              .rmsNorm(1024)
              .pointwise(1_000_000)
              .broadcast(1024)
              .kernels();
      case DEEP ->
          catalogue
              .matmul(64, 128, 192, 256, 384, 512, 768, 1024)
              .parallelMatmul(512)
              .softmax(256, 1024, 2048, 8192)
              .gelu(1_000, 10_000, 100_000, 1_000_000)
              .layerNorm(256, 1024, 4096)
              .rmsNorm(256, 1024, 4096)
              .kernels();
      case ENHANCED ->
          catalogue
              .matmul(128, 256, 512, 1024)
              .parallelMatmul(512)
              .softmax(256, 1024, 2048, 8192)
              .gelu(1_000, 10_000, 100_000, 1_000_000)
              .layerNorm(256, 1024)
              .rmsNorm(256, 1024)
              .pointwise(1_000, 10_000, 100_000, 1_000_000)
              .broadcast(256, 1024, 4096)
              .kernels();
      case ALLOCATION -> throw new IllegalStateException("compares pairs, see AllocationStudy");
    };
  }
}
