package dev.ridgeline.cli.train;

import java.util.Locale;

/** Trainings that are there to be measured, on the bundled texts. */
enum Preset {
  /** What a first look takes: every scope of a training, in seconds. */
  SMALL(
      20,
      5,
      """
      {
        "model": {"shape": "llama", "dim": 64, "layers": 2, "heads": 4, "context": 64},
        "data": {"files": "texts.txt"},
        "batch": 16, "steps": 1000
      }
      """),
  /** What SmallMind's profiler of allocations trains: 50 steps, batch 32, hidden 256. */
  SMALLMIND(
      50,
      3,
      """
      {
        "model": {"shape": "gpt2", "dim": 256, "layers": 2, "heads": 4, "context": 32},
        "data": {"files": "texts.txt"},
        "batch": 32, "steps": 1000
      }
      """),
  /** Its other test, without a model: the gradients of one product. */
  MATMUL_BACKWARD(100, 5, "");

  /** Steps of a round. */
  final int steps;

  /** Rounds that are measured. */
  final int rounds;

  /** Its configuration, next to which the bundled texts lie as {@code texts.txt}. */
  final String config;

  Preset(int steps, int rounds, String config) {
    this.steps = steps;
    this.rounds = rounds;
    this.config = config;
  }

  /** As users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
