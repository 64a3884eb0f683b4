package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.compare.RunComparison.Side;
import dev.ridgeline.lab.history.Work;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;

/** What has no noise: output, calls, bytes touched, bytes allocated. */
final class Gates {
  /** The JVM allocates a little for itself in passing; less than this of a whole run is that. */
  private static final long BYTES_OF_THE_JVM = 64 << 10;

  /** Threads of a program take turns by chance: what is within this is no change of the program. */
  private static final double OF_A_PROGRAM = Change.ALIKE;

  private Gates() {}

  /** Those that both runs tell; calls and bytes only where both did the same amount of work. */
  static List<Gate> of(Side base, Side current) {
    List<Gate> gates = new ArrayList<>();
    String before = base.run().outputDigest();
    String after = current.run().outputDigest();
    if (!before.isEmpty() && !after.isEmpty()) {
      gates.add(Gate.output(before, after));
    }
    if (base.profile() == null || current.profile() == null) return gates;
    double units = base.run().units();
    boolean programs = areWholePrograms(base, current);
    if (!programs && (units <= 0 || units != current.run().units())) return gates;
    double part = programs ? OF_A_PROGRAM : 0;
    CallTree one = base.profile().tree();
    CallTree other = current.profile().tree();
    // What runs in a parallel region in one and not in the other is counted in one of them only.
    if (hasRegions(one.root()) == hasRegions(other.root())) {
      long calls = calls(one.root());
      gates.add(gate("calls", calls, calls(other.root()), slack(part, calls)));
    }
    if (!programs) {
      long touched = one.root().work().bytes();
      gates.add(bytes("bytes touched", touched, other.root().work().bytes(), 0));
    }
    long allocated = one.root().allocatedBytes();
    long now = other.root().allocatedBytes();
    if (allocated != Profile.UNKNOWN && now != Profile.UNKNOWN) {
      gates.add(
          bytes(
              "heap bytes allocated",
              allocated,
              now,
              Math.max(BYTES_OF_THE_JVM, slack(part, allocated))));
    }
    return gates;
  }

  /** Whether both are users' own programs, recorded from start to end, in which scopes ran. */
  static boolean areWholePrograms(Side base, Side current) {
    return isWholeProgram(base) && isWholeProgram(current);
  }

  private static boolean isWholeProgram(Side side) {
    return Work.isWholeProgram(side.run())
        && side.profile() != null
        && side.profile().lanes().stream().anyMatch(lane -> !lane.nodes().isEmpty());
  }

  private static long slack(double part, long amount) {
    return (long) (part * amount);
  }

  private static Gate gate(String what, long before, long after, long slack) {
    return new Gate(
        what, Quantity.count(before), Quantity.count(after), result(before, after, slack));
  }

  private static Gate bytes(String what, long before, long after, long slack) {
    return new Gate(
        what, Quantity.bytes(before), Quantity.bytes(after), result(before, after, slack));
  }

  private static Gate.Result result(long before, long after, long slack) {
    if (Math.abs(after - before) <= slack) return Gate.Result.SAME;
    return after < before ? Gate.Result.LESS : Gate.Result.WORSE;
  }

  private static boolean hasRegions(CallTree.Node node) {
    return node.region() != null || node.children().stream().anyMatch(Gates::hasRegions);
  }

  /** Inside a parallel region it is the scheduler that decides how often something is called. */
  static long calls(CallTree.Node node) {
    long calls = node.calls() + node.open();
    if (node.region() != null) return calls;
    for (CallTree.Node child : node.children()) calls += calls(child);
    return calls;
  }
}
