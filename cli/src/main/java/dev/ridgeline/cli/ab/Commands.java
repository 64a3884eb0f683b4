package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Patience;
import dev.ridgeline.lab.trial.Runner;
import java.nio.file.Path;
import java.util.List;

/**
 * Trials of two foreign commands.
 *
 * @param patience with each of them
 * @param record where output is kept
 */
record Commands(CommandTrial trial, Line a, Line b, Patience patience, Path record)
    implements Runner {

  /**
   * A command.
   *
   * @param shown as it was typed
   * @param words by which it is started
   */
  record Line(String shown, List<String> words) {
    /** One that is given to sh. */
    static Line shell(String line) {
      return new Line(line, CommandTrial.shell(line));
    }
  }

  @Override
  public Measured run(Arm arm, int number, double seconds) throws Stopped {
    String side = arm.isB() ? "B" : "A";
    Line line = arm.isB() ? b : a;
    String directory = "arms/%s/%03d".formatted(arm.word(), number);
    double most = patience.with(side, seconds);
    long begin = System.nanoTime();
    try {
      Path folder = record.resolve(directory);
      var reading = trial.run(line.shown(), line.words(), null, most, folder);
      patience.took(side, (System.nanoTime() - begin) / 1e9);
      return new Measured(reading.withOutput(trial.digest(folder)), directory);
    } catch (Problem e) {
      throw new Failed(side, e);
    }
  }
}
