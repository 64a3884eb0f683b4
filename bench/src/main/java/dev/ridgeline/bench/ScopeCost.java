package dev.ridgeline.bench;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What an empty scope costs at each level, beside an empty method and a reading of the clock. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScopeCost {
  private static final Scope OUTER = Scope.of("outer");
  private static final Scope INNER = Scope.of("inner");

  /** A session at a level. */
  @State(org.openjdk.jmh.annotations.Scope.Benchmark)
  public static class Session {
    @Param({"OFF", "TIME", "ALLOCATION", "TRACE"})
    public Level level;

    @Setup
    public void start() {
      Profiler.start(Options.of(level));
      Profiler.begin(OUTER);
    }

    @TearDown
    public void stop() {
      Profiler.end(OUTER);
      Profiler.stop();
    }
  }

  @Benchmark
  public void empty() {}

  @Benchmark
  public long clock() {
    return System.nanoTime();
  }

  @Benchmark
  public void scope(Session session) {
    try (var _ = Profiler.scope(INNER)) {}
  }

  @Benchmark
  public void scopeWithWork(Session session) {
    try (var s = Profiler.scope(INNER)) {
      s.work(64, 128);
    }
  }

  @Benchmark
  public void beginEnd(Session session) {
    Profiler.begin(INNER);
    Profiler.end(INNER);
  }
}
