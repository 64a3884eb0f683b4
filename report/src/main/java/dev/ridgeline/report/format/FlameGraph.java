package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.Quantity;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A tree as {@code flame.svg}: the width of a place is its time and that of all below it, on
 * whatever thread.
 */
public final class FlameGraph {
  private static final int COLOURS = 8;

  private FlameGraph() {}

  /** Draws a tree; times are raw. */
  public static void write(CallTree tree, OutputStream out) throws IOException {
    long all = tree.root().threadNanos();
    String svg =
        FlameSvg.draw(
            "Flame graph",
            List.of(
                "thread time "
                    + Quantity.time(all)
                    + ", raw; a box is as wide as its place's time"
                    + " and that of all below it; underlined: a task handed to another thread"),
            tree.root(),
            Node::children,
            Node::selfNanos,
            node -> look(node, all));
    out.write(svg.getBytes(StandardCharsets.UTF_8));
  }

  private static FlameSvg.Look look(Node node, long all) {
    double share = all == 0 ? 0 : (double) node.threadNanos() / all;
    List<String> facts =
        List.of(
            Quantity.time(node.threadNanos()) + ", " + Quantity.percent(share),
            Quantity.time(node.selfNanos()) + " of it itself",
            Quantity.many(node.calls() + node.open(), "call"));
    if (node.parent() == null) return new FlameSvg.Look(node.name(), facts.subList(0, 1), "root");
    String colour = "c" + Math.floorMod(node.name().hashCode(), COLOURS);
    return new FlameSvg.Look(node.name(), facts, node.isTask() ? colour + " task" : colour);
  }
}
