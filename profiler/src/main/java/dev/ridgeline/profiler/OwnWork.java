package dev.ridgeline.profiler;

import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Tells the profiler's own work inside of a program from the program's: on a stack, everything from
 * where recording is entered is one place.
 */
final class OwnWork {
  /** What stands on a stack for all of it. */
  static final Location RIDGELINE = new Location("dev.ridgeline", "profiler", 0, Kind.COMPILED);

  /** Where programs and woven code enter; by name, for the agent's are in no jar of ours. */
  private static final Set<String> ENTRIES =
      Set.of(
          "dev.ridgeline.profiler.Profiler",
          "dev.ridgeline.profiler.Frame",
          "dev.ridgeline.profiler.Scope",
          "dev.ridgeline.agent.hook.Hooks",
          "dev.ridgeline.agent.record.ProfilerSink");

  private OwnWork() {}

  /** The stack with our part of it, if there is any, made one. */
  static List<Location> fold(List<Location> outermostFirst) {
    for (int i = 0; i < outermostFirst.size(); i++) {
      if (!isEntry(outermostFirst.get(i))) continue;
      List<Location> folded = new ArrayList<>(outermostFirst.subList(0, i));
      folded.add(RIDGELINE);
      return folded;
    }
    return outermostFirst;
  }

  private static boolean isEntry(Location frame) {
    if (!ENTRIES.contains(frame.type())) return false;
    // These run the program's tasks: what they call is the program again.
    String method = frame.method();
    return !method.startsWith("lambda$") && !method.equals("run") && !method.equals("runThread");
  }
}
