package dev.ridgeline.lab.bound;

import dev.ridgeline.lab.roofline.StreamLoop;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Workers;
import java.util.ArrayList;
import java.util.List;

/** Stretches of memory that workers go through, in units as products are cut into. */
final class StreamTask implements Workers.Task {
  private static final Scope STREAM = Scope.of("stream");

  /** Bytes of a unit at least, where there are so many. */
  private static final long UNIT = 1 << 18;

  private static final int UNITS_PER_WORKER = 16;
  private static final int FEWEST_PER_WORKER = 4;

  /** At a time: a longer call would hold others up who wait for a safepoint. */
  private static final long STEP = 1 << 20;

  private record Unit(StreamLoop loop, long at, long bytes) {}

  private final int workers;
  private final List<Unit> units = new ArrayList<>();
  private long all;

  StreamTask(int workers) {
    this.workers = workers;
  }

  /** One more stretch, of whole turns. */
  StreamTask add(StreamLoop loop, long at, long bytes) {
    long unit = Math.max(UNIT, bytes / ((long) UNITS_PER_WORKER * workers));
    unit = Math.min(unit, Math.max(1, bytes / ((long) FEWEST_PER_WORKER * workers)));
    unit = (unit + loop.turn() - 1) / loop.turn() * loop.turn();
    for (long from = 0; from < bytes; from += unit) {
      units.add(new Unit(loop, at + from, Math.min(unit, bytes - from)));
    }
    all += bytes;
    return this;
  }

  void run(Workers team) {
    try (var scope = Profiler.scope(STREAM)) {
      scope.work(all, 0);
      team.each(this, units.size());
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    for (int i = from; i < to; i++) {
      Unit unit = units.get(i);
      for (long done = 0; done < unit.bytes; done += STEP) {
        unit.loop.run(unit.at + done, Math.min(STEP, unit.bytes - done));
      }
    }
  }

  @Override
  public boolean isTheWork() {
    return true;
  }
}
