package dev.ridgeline.profiler;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("ridgeline.Scope")
@Label("Scope")
@Category("Ridgeline")
@Description("A call of a scope that took long")
@StackTrace(false)
final class ScopeEvent extends Event {
  /**
   * The fields that the flight recorder adds to every event class. An event object per open scope
   * would cost every scope a reading of the recorder's clock; with these, only slow ones pay. On a
   * JVM that names them otherwise, an event stands at the scope's end, with {@link #took} right.
   */
  private static final VarHandle START = added("startTime");

  private static final VarHandle DURATION = added("duration");

  @Label("Name")
  String name;

  @Label("Path")
  String path;

  @Label("Took")
  @Timespan(Timespan.NANOSECONDS)
  long took;

  @Label("Declared Bytes")
  @DataAmount
  long bytes;

  @Label("Declared FLOPs")
  long flops;

  @Label("Allocated")
  @Description("Bytes allocated on the heap, -1 when not known")
  @DataAmount
  long allocated;

  /** A moment on both clocks, from which a tick's length is worked out. */
  record Moment(long nanos, long ticks) {
    static Moment now() {
      ScopeEvent event = new ScopeEvent();
      event.begin();
      return new Moment(System.nanoTime(), START == null ? 0 : (long) START.get(event));
    }
  }

  /**
   * Commits a scope that began at {@code startNanos} and took {@link #took}.
   *
   * @param earlier a moment before the scope's end, the longer ago the better
   */
  void commit(long startNanos, Moment earlier) {
    begin();
    long now = System.nanoTime();
    if (START != null && DURATION != null && now > earlier.nanos()) {
      long ticks = (long) START.get(this);
      double perNano = (double) (ticks - earlier.ticks()) / (now - earlier.nanos());
      START.set(this, ticks - Math.round((now - startNanos) * perNano));
      DURATION.set(this, Math.max(1, Math.round(took * perNano)));
    }
    commit();
  }

  private static VarHandle added(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(ScopeEvent.class, field, long.class);
    } catch (ReflectiveOperationException notHere) {
      return null;
    }
  }
}
