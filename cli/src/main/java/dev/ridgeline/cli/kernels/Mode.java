package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.kernels.Catalogue.Recipe;
import java.util.List;
import java.util.Locale;

/** Which kernels a run has, and which models after them. */
enum Mode {
  STANDARD("usual sizes", 10, List.of("medium")),
  DEEP("more sizes, and gradients", 20, List.of("medium")),
  ENHANCED("every operation in every size", 24, List.of("small", "medium")),
  ALLOCATION("new memory for the results of each call against the same memory", 2, List.of());

  final String description;

  /** How long a run takes unless told otherwise. */
  final int seconds;

  /** Of the two models that SmallMind's profiler has, those that run, too. */
  final List<String> models;

  Mode(String description, int seconds, List<String> models) {
    this.description = description;
    this.seconds = seconds;
    this.models = models;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a run in it is called: {@code kernels}, {@code kernels-deep}. */
  String workload() {
    return this == STANDARD ? "kernels" : "kernels-" + label();
  }

  /** Kernels in the order in which they run: small ones first, so that they warm shared code. */
  List<Recipe> kernels() {
    Catalogue catalogue = new Catalogue();
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
              .rope(128)
              .attention(256)
              .recipes();
      case DEEP ->
          catalogue
              .matmul(64, 128, 192, 256, 384, 512, 768, 1024)
              .parallelMatmul(512)
              .softmax(256, 1024, 2048, 8192)
              .gelu(1_000, 10_000, 100_000, 1_000_000)
              .layerNorm(256, 1024, 4096)
              .rmsNorm(256, 1024, 4096)
              .attention(128, 256, 512)
              .backward()
              .recipes();
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
              .rope(128)
              .attention(128, 256, 512)
              .backward()
              .recipes();
      case ALLOCATION -> throw new IllegalStateException("compares pairs, see AllocationStudy");
    };
  }
}
