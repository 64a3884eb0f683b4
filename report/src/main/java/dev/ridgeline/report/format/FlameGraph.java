package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.Quantity;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A tree as {@code flame.svg}: the width of a place is its time, or what it allocates, and that of
 * all below it, on whatever thread.
 */
public final class FlameGraph {
  private static final int COLOURS = 8;

  private final Measure measure;
  private final Map<Node, Double> below = new IdentityHashMap<>();
  private final double all;

  private FlameGraph(CallTree tree, Measure measure) {
    this.measure = measure;
    List<Node> order = new ArrayList<>(List.of(tree.root()));
    for (int i = 0; i < order.size(); i++) order.addAll(order.get(i).children());
    for (Node node : order.reversed()) {
      double sum = measure.self(node);
      for (Node child : node.children()) sum += below.get(child);
      below.put(node, sum);
    }
    all = below.get(tree.root());
  }

  /** Draws a tree; times are raw. */
  public static void write(CallTree tree, Measure of, OutputStream out) throws IOException {
    FlameGraph graph = new FlameGraph(tree, of);
    String svg =
        FlameSvg.draw(
            "Flame graph",
            List.of(
                "%s%s; a box is as wide as its place's %s and that of all below it; underlined: a task handed to another thread"
                    .formatted(of.all(graph.all), of == Measure.TIME ? ", raw" : "", of.word())),
            tree.root(),
            Node::children,
            of::self,
            graph::look);
    out.write(svg.getBytes(StandardCharsets.UTF_8));
  }

  private FlameSvg.Look look(Node node) {
    double own = below.get(node);
    List<String> facts =
        List.of(
            measure.text(own) + ", " + Quantity.percent(all == 0 ? 0 : own / all),
            measure.text(measure.self(node)) + " of it itself",
            Quantity.many(node.calls() + node.open(), "call"));
    if (node.parent() == null) return new FlameSvg.Look(node.name(), facts.subList(0, 1), "root");
    String colour = "c" + Math.floorMod(node.name().hashCode(), COLOURS);
    return new FlameSvg.Look(node.name(), facts, node.isTask() ? colour + " task" : colour);
  }
}
