package dev.ridgeline.cli.experiment;

import dev.ridgeline.lab.sweep.Arm;
import java.util.List;
import java.util.Map;

/** An arm and how its trials are started. */
record Attempt(Arm arm, Start start) {
  /** A workload of ours, by its words. */
  static Attempt of(String name, Map<String, String> parameters, List<String> words) {
    return new Attempt(new Arm(name, parameters), new Start.Workload(words, List.of()));
  }
}
