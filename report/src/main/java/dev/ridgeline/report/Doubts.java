package dev.ridgeline.report;

import dev.ridgeline.profiler.Profile;
import java.util.ArrayList;
import java.util.List;

/**
 * What there is to doubt about the times of a run, in a few words that stand beside each figure
 * they concern; the findings say the same at length.
 */
public final class Doubts {
  private Doubts() {}

  /** {@code noisy: steal 8 %}, or "" where times can be trusted. */
  public static String ofTimes(List<Finding> findings, Profile profile) {
    List<String> noise = new ArrayList<>();
    List<String> other = new ArrayList<>();
    for (Finding finding : findings) {
      switch (finding.rule()) {
        case "cpu-steal" ->
            noise.add("steal " + Quantity.fixed(100 * profile.system().stealFraction(), 0) + " %");
        case "cpu-waiting" -> noise.add("others had the CPU");
        case "jit-still-compiling" -> other.add("the JIT compiled");
        case "unstable-warm-up" -> other.add("not warm");
        case "recorder-overhead" -> other.add("the recorder slowed it down");
        default -> {}
      }
    }
    if (!noise.isEmpty()) other.addFirst("noisy: " + String.join(", ", noise));
    return String.join("; ", other);
  }
}
