package dev.ridgeline.report.roofline;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many bytes a program touches before it comes back to those of a scope, estimated from what
 * was declared: the level of memory that holds so many is the one that they come from.
 *
 * <p>Going up from the scope, the first one that is called again and again within its parent is
 * taken for the loop that comes back to the same bytes. A few calls within a parent are taken for
 * as many different pieces (three matrices behind one scope), and so are tasks of a parallel region
 * and scopes that are told apart by number (the layers of a model).
 *
 * @param bytes touched by all threads
 * @param ownBytes touched by each of them
 * @param callBytes that all threads touch in a call of the scope itself: it may come back to what
 *     the scope before it left behind, so this is the least
 * @param ownCallBytes that a thread touches in one
 */
record Reuse(double bytes, double ownBytes, double callBytes, double ownCallBytes) {
  /** So many calls within a parent are a loop over the same bytes. */
  private static final double LOOP = 8;

  /** So many times a cache, and hardly any of it is still there. */
  private static final double PART = 4;

  /** Ceilings drift: a little above one proves nothing. */
  private static final double SURE = 1.05;

  private static final Pattern NUMBER = Pattern.compile(" \\d+$");

  static Reuse of(Node node) {
    double own = (double) node.work().bytes() / begun(node);
    double threads = 1;
    for (Node at = node; ; at = at.parent()) {
      Node parent = at.parent();
      boolean top = parent.parent() == null;
      if (at.isTask()) threads = Math.max(threads, Bounds.threads(at));
      boolean loop = !at.isTask() && begun(at) >= LOOP * (top ? 1 : begun(parent));
      if (loop || top) {
        double all = 0;
        String family = family(at);
        for (Node each : parent.children()) {
          if (each == at || !family.isEmpty() && family.equals(family(each))) {
            all += each.work().bytes() / (loop ? begun(each) : 1.0);
          }
        }
        all = Math.max(all, own);
        return new Reuse(all, Math.max(all / threads, own), own * Bounds.threads(node), own);
      }
    }
  }

  /** The name of all the numbered scopes that one belongs to; empty when it is no such. */
  private static String family(Node node) {
    Matcher number = NUMBER.matcher(node.name());
    String name = number.replaceFirst("");
    if (name.length() == node.name().length()) return "";
    // Sizes are numbers, too, but do not begin at 0.
    for (Node each : node.parent().children()) if (each.name().equals(name + " 0")) return name;
    return "";
  }

  private static double begun(Node node) {
    return Math.max(1, node.calls() + node.open());
  }

  /** The nearest level that holds it; the last one holds everything. */
  Level level(Ceilings ceilings) {
    Level last = null;
    for (Memory memory : ceilings.memory()) {
      last = memory.level();
      boolean shared = last == Level.L3 || last == Level.DRAM;
      if (memory.bytes() > 0 && (shared ? bytes : ownBytes) <= memory.bytes()) return last;
    }
    return last;
  }

  /**
   * The level that a time speaks for, where it is too short for the assumed one: the scope before
   * may have left its bytes there, and a cache that is a little too small still holds a part.
   *
   * @param least the least time of the bytes at each level
   */
  Level nearer(Level assumed, Ceilings ceilings, Map<Level, Double> least, double nanos) {
    Level level = assumed;
    for (Memory memory : ceilings.memory().reversed()) {
      Level next = memory.level();
      if (next.compareTo(level) >= 0) continue;
      boolean shared = next == Level.L3;
      boolean holdsPart = (shared ? callBytes : ownCallBytes) <= PART * memory.bytes();
      if (!holdsPart || least.get(level) <= SURE * nanos) return level;
      level = next;
    }
    return level;
  }
}
