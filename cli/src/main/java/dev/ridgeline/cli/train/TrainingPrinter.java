package dev.ridgeline.cli.train;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import dev.ridgeline.train.loop.Training;
import dev.ridgeline.train.loop.Watcher;
import java.io.PrintWriter;
import java.nio.file.Path;

/**
 * Tells people how a training goes: on a terminal by a line that is drawn over, with evaluations
 * and samples above it; elsewhere by a line for each evaluation.
 */
final class TrainingPrinter implements Watcher {
  private final PrintWriter out;
  private final Progress live;
  private final int workers;
  private final boolean quiet;
  private Training training;

  /**
   * @param quiet whether only what a user should know is told
   */
  TrainingPrinter(PrintWriter out, Progress live, int workers, boolean quiet) {
    this.out = out;
    this.live = live;
    this.workers = workers;
    this.quiet = quiet;
  }

  @Override
  public void begins(Training begun) {
    training = begun;
    print(Prospect.line(begun, workers));
    if (begun.step() > 0) print("continues after step " + Quantity.count(begun.step()));
  }

  @Override
  public void step(Training its) {
    if (live.due()) live.draw(line(its) + " · " + Quantity.bytes(its.resident()));
  }

  @Override
  public void evaluated(long step, double loss) {
    print(line(training));
  }

  @Override
  public void sampled(long step, String prompt, String text) {
    if (!live.seen()) return;
    print("");
    for (String line : (prompt + text).split("\\R")) print("    " + Text.clean(line));
    print("");
  }

  @Override
  public void kept(long step, Path file) {
    live.draw(line(training) + " · kept");
  }

  @Override
  public void warned(String line) {
    live.note(line);
  }

  /** {@code step 250/3,000 · loss 1.912 · evaluation 1.980 · 20,500 tokens/s · 4 min left}. */
  static String line(Training its) {
    if (its.step() == 0) {
      return "before the first step · evaluation " + Quantity.fixed(its.evaluation(), 3);
    }
    long left = its.steps() - its.step();
    return "step %,d/%,d · loss %s%s · %s tokens/s%s"
        .formatted(
            its.step(),
            its.steps(),
            Quantity.fixed(its.loss(), 3),
            Double.isNaN(its.evaluation())
                ? ""
                : " · evaluation " + Quantity.fixed(its.evaluation(), 3),
            Quantity.number(its.tokensPerSecond()),
            left == 0 ? "" : " · " + Quantity.left(its.secondsLeft()) + " left");
  }

  /** A line that stays. */
  void print(String line) {
    live.erase();
    if (quiet) return;
    out.println(line);
    out.flush();
  }
}
