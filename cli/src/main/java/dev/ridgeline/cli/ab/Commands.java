package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Patience;
import dev.ridgeline.lab.trial.Runner;
import java.nio.file.Path;

/**
 * Trials of two foreign commands.
 *
 * @param a given to sh
 * @param b given to sh
 * @param patience with each of them
 * @param record where output is kept
 */
record Commands(CommandTrial trial, String a, String b, Patience patience, Path record)
    implements Runner {
  @Override
  public Measured run(Arm arm, int number, double seconds) throws Stopped {
    String side = arm.isB() ? "B" : "A";
    String command = arm.isB() ? b : a;
    String directory = "arms/%s/%03d".formatted(arm.word(), number);
    double most = patience.with(side, seconds);
    long begin = System.nanoTime();
    try {
      var reading =
          trial.run(command, CommandTrial.shell(command), null, most, record.resolve(directory));
      patience.took(side, (System.nanoTime() - begin) / 1e9);
      return new Measured(reading, directory);
    } catch (Problem e) {
      throw new Failed(side, e);
    }
  }
}
