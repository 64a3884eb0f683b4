package dev.ridgeline.cli.train;

import dev.ridgeline.train.loop.Training;
import dev.ridgeline.train.loop.Watcher;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Has the page written along the way, with checkpoints, so that one can look at it meanwhile. */
final class LivePage implements Watcher {
  /** It reads the whole journal: not more often than this. */
  private static final long NANOS = 30_000_000_000L;

  private final Watcher watcher;
  private final Consumer<Training> page;
  private final LongSupplier clock;
  private Training training;
  private long written;

  LivePage(Watcher watcher, Consumer<Training> page, LongSupplier clock) {
    this.watcher = watcher;
    this.page = page;
    this.clock = clock;
  }

  @Override
  public void begins(Training begun) {
    training = begun;
    written = clock.getAsLong();
    watcher.begins(begun);
  }

  @Override
  public void step(Training its) {
    watcher.step(its);
  }

  @Override
  public void evaluated(long step, double loss) {
    watcher.evaluated(step, loss);
  }

  @Override
  public void sampled(long step, String prompt, String text) {
    watcher.sampled(step, prompt, text);
  }

  @Override
  public void kept(long step, Path file) {
    watcher.kept(step, file);
    if (clock.getAsLong() - written < NANOS) return;
    write(training);
    written = clock.getAsLong();
  }

  /** Now. What is learnt is kept already: a page that cannot be written is no failure. */
  void write(Training its) {
    try {
      page.accept(its);
    } catch (RuntimeException e) {
      watcher.warned("no page: " + e.getMessage());
    }
  }

  @Override
  public void warned(String line) {
    watcher.warned(line);
  }
}
