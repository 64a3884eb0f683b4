package dev.ridgeline.profiler;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("ridgeline.ScopeTotal")
@Label("Scope Total")
@Category("Ridgeline")
@Description("All calls of a scope at one place, over all threads; written when a session ends")
@StackTrace(false)
final class ScopeTotalEvent extends Event {
  @Label("Name")
  String name;

  @Label("Path")
  String path;

  @Label("Calls")
  @Description("Finished calls")
  long calls;

  @Label("Open Calls")
  @Description("Calls not finished yet; of theirs, only the time so far is told")
  long open;

  @Label("Total")
  @Description("Raw time inside, on its own threads")
  @Timespan
  long total;

  @Label("Self")
  @Description("Raw time outside of inner scopes")
  @Timespan
  long self;

  @Label("Shortest")
  @Timespan
  long min;

  @Label("Longest")
  @Timespan
  long max;

  @Label("99th Percentile")
  @Timespan
  long p99;

  @Label("Allocated")
  @Description("Bytes allocated on the heap, -1 when not known")
  @DataAmount
  long allocated;

  @Label("Declared Bytes")
  @DataAmount
  long bytes;

  @Label("Declared FLOPs")
  long flops;

  /** Commits one event for every place of a tree. */
  static void commitAll(CallTree tree) {
    tree.forEach(
        node -> {
          ScopeTotalEvent event = new ScopeTotalEvent();
          event.name = node.name();
          event.path = String.join(" › ", node.path());
          event.calls = node.calls();
          event.open = node.open();
          event.total = node.totalNanos();
          event.self = node.selfNanos();
          event.min = node.minNanos();
          event.max = node.maxNanos();
          event.p99 = node.percentileNanos(0.99);
          event.allocated = node.allocatedBytes();
          event.bytes = node.work().bytes();
          event.flops = node.work().flops();
          event.commit();
        });
  }
}
