package dev.ridgeline.profiler;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("ridgeline.Clock")
@Label("Clock")
@Category("Ridgeline")
@Description("Readings of System.nanoTime right before and after the start of this event")
@StackTrace(false)
final class ClockEvent extends Event {
  private static final int BATCH = 6;

  @Label("Before")
  long before;

  @Label("After")
  long after;

  /** Compares the clocks a few times. */
  static void commitBatch() {
    for (int i = 0; i < BATCH; i++) {
      ClockEvent event = new ClockEvent();
      event.before = System.nanoTime();
      event.begin();
      event.after = System.nanoTime();
      event.commit();
    }
  }
}
