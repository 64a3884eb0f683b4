package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import java.util.List;

/** A hot path as tables show it: numbered scopes and recursion folded, times corrected. */
public record HotPath(Node node, Report report) {
  /** Names from the top. */
  public List<String> path() {
    return node.path();
  }

  /** What a column says of it, times in nanoseconds; null where that is not known. */
  public Double value(Column column) {
    double value = column.value(node, report);
    return Double.isNaN(value) ? null : value;
  }

  /** The same for a column of words. */
  public String words(Column column) {
    return value(column) == null ? null : column.words(node, report);
  }
}
