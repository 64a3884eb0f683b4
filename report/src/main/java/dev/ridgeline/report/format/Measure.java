package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.Quantity;

/** What stacks, flame graphs and differences are drawn of. */
public enum Measure {
  /** Raw time, in nanoseconds. */
  TIME("thread time", "time"),
  /** Heap bytes; what is not known counts as none. */
  ALLOCATION("allocated", "allocation");

  private final String all;
  private final String word;

  Measure(String all, String word) {
    this.all = all;
    this.word = word;
  }

  /** What a place has of its own. */
  long self(Node node) {
    return Math.max(0, this == TIME ? node.selfNanos() : node.selfAllocatedBytes());
  }

  /** An amount, for people. */
  String text(double amount) {
    return this == TIME ? Quantity.time(amount) : Quantity.bytes(amount);
  }

  /** What the whole of a tree is called: {@code thread time 3 s}. */
  String all(double amount) {
    return all + " " + text(amount);
  }

  /** One word for it. */
  String word() {
    return word;
  }

  /** What a column of it is counted in. */
  String unit() {
    return this == TIME ? "ms" : "kB";
  }

  /** An amount in a column. */
  String cell(double amount) {
    return Quantity.fixed(this == TIME ? amount / 1e6 : amount / 1e3, 3);
  }
}
