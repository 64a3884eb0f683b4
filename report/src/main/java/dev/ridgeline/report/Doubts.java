package dev.ridgeline.report;

import dev.ridgeline.profiler.Profile;
import java.util.ArrayList;
import java.util.List;

/**
 * What there is to doubt about the times of a run, in a few words that stand next to each figure
 * they concern; the findings say the same at length.
 *
 * @param noise what others did to the machine: {@code steal 8 %}; empty when it was quiet
 * @param own what else the measured phase was spent on: {@code not warm}
 */
public record Doubts(List<String> noise, List<String> own) {
  /** Those of findings. */
  public static Doubts of(List<Finding> findings, Profile profile) {
    List<String> noise = new ArrayList<>();
    List<String> own = new ArrayList<>();
    for (Finding finding : findings) {
      switch (finding.rule()) {
        case "cpu-steal" ->
            noise.add("steal " + Quantity.fixed(100 * profile.system().stealFraction(), 0) + " %");
        case "cpu-waiting" -> noise.add("others had the CPU");
        case "jit-still-compiling" -> own.add("the JIT compiled");
        case "unstable-warm-up" -> own.add("not warm");
        case "recorder-overhead" -> own.add("the recorder slowed it down");
        default -> {}
      }
    }
    return new Doubts(List.copyOf(noise), List.copyOf(own));
  }

  /** {@code noisy: steal 8 %; not warm}. */
  public String full() {
    return together(noise.isEmpty() ? "" : "noisy: " + String.join(", ", noise));
  }

  /** {@code noisy; not warm}: for what stands next to a figure that has it in full. */
  public String brief() {
    return together(anyNoise());
  }

  /** {@code noisy}: for what was measured outside the phase that is profiled. */
  public String anyNoise() {
    return noise.isEmpty() ? "" : "noisy";
  }

  private String together(String first) {
    List<String> all = new ArrayList<>(own);
    if (!first.isEmpty()) all.addFirst(first);
    return String.join("; ", all);
  }
}
