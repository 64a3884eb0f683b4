package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.compare.RunComparison.Side;
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
    if (units <= 0 || units != current.run().units()) return gates;
    CallTree one = base.profile().tree();
    CallTree other = current.profile().tree();
    // What runs in a parallel region in one and not in the other is counted in one of them only.
    if (hasRegions(one.root()) == hasRegions(other.root())) {
      gates.add(gate("calls", calls(one.root()), calls(other.root())));
    }
    gates.add(bytes("bytes touched", one.root().work().bytes(), other.root().work().bytes(), 0));
    long allocated = one.root().allocatedBytes();
    long now = other.root().allocatedBytes();
    if (allocated != Profile.UNKNOWN && now != Profile.UNKNOWN) {
      gates.add(bytes("heap bytes allocated", allocated, now, BYTES_OF_THE_JVM));
    }
    return gates;
  }

  private static Gate gate(String what, long before, long after) {
    return new Gate(what, Quantity.count(before), Quantity.count(after), result(before, after, 0));
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
  private static long calls(CallTree.Node node) {
    long calls = node.calls() + node.open();
    if (node.region() != null) return calls;
    for (CallTree.Node child : node.children()) calls += calls(child);
    return calls;
  }
}
