package dev.ridgeline.profiler;

import dev.ridgeline.profiler.Samples.Cpu;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** Whether a thread of the program starts the agent, or weaves a class that it is loading. */
  static boolean prepares(List<Location> frames) {
    for (Location frame : frames) {
      String type = frame.type();
      if (type.equals("dev.ridgeline.agent.Agent")) return true;
      if (type.startsWith("dev.ridgeline.agent.weave.")) return true;
    }
    return false;
  }

  /**
   * The samples with no more in our part of stacks than recording can have cost: calls times the
   * cost of one, as measured. What is beyond goes to the caller.
   *
   * <p>A sampler that stands where the JVM has no record of the code finds the next place that it
   * knows. Reading the clock is such a place, and close to it stands the program's code that was
   * compiled into one with ours.
   */
  static Samples bounded(Samples samples, Profile profile) {
    int own = samples.locations().indexOf(RIDGELINE);
    double cost = profile.calibration().scopeNanos() * begun(profile);
    if (own < 0 || samples.event() != Samples.Event.CPU || cost <= 0) return samples;
    double blamed = 0;
    for (Cpu row : samples.cpu()) if (isOwn(samples, row, own)) blamed += row.weight();
    if (blamed <= cost) return samples;
    Map<Cpu, Cpu> rows = new LinkedHashMap<>();
    for (Cpu row : samples.cpu()) {
      if (!isOwn(samples, row, own)) {
        add(rows, row);
        continue;
      }
      long weight = (long) (row.weight() * cost / blamed);
      long count = Math.round(row.samples() * cost / blamed);
      int caller = samples.calls().get(row.stack()).caller();
      add(rows, new Cpu(row.lane(), row.node(), row.stack(), count, weight));
      long more = row.samples() - count;
      add(rows, new Cpu(row.lane(), row.node(), caller, more, row.weight() - weight));
    }
    rows.values().removeIf(row -> row.weight() == 0 && row.samples() == 0);
    return samples.withCpu(List.copyOf(rows.values()));
  }

  private static void add(Map<Cpu, Cpu> rows, Cpu row) {
    Cpu place = new Cpu(row.lane(), row.node(), row.stack(), 0, 0);
    rows.merge(
        place,
        row,
        (one, other) ->
            new Cpu(
                row.lane(),
                row.node(),
                row.stack(),
                one.samples() + other.samples(),
                one.weight() + other.weight()));
  }

  private static boolean isOwn(Samples samples, Cpu row, int own) {
    if (row.stack() == Samples.NO_STACK) return false;
    Samples.Call call = samples.calls().get(row.stack());
    return call.location() == own && call.caller() >= 0;
  }

  private static long begun(Profile profile) {
    long begun = 0;
    for (Profile.Lane lane : profile.lanes()) {
      for (Profile.Node node : lane.nodes()) begun += node.time().calls() + node.time().open();
    }
    return begun;
  }

  private static boolean isEntry(Location frame) {
    if (!ENTRIES.contains(frame.type())) return false;
    // These run the program's tasks: what they call is the program again.
    String method = frame.method();
    return !method.startsWith("lambda$") && !method.equals("run") && !method.equals("runThread");
  }
}
