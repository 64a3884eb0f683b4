package dev.ridgeline.cli.profile;

/** Who takes samples, for {@code --sampler}. */
enum SamplerKind {
  JFR,
  ASYNC
}
