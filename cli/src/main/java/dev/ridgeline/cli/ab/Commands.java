package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Runner;
import java.nio.file.Path;

/**
 * Trials of two foreign commands.
 *
 * @param a given to sh
 * @param b given to sh
 * @param record where output is kept
 */
record Commands(CommandTrial trial, String a, String b, Path record) implements Runner {
  @Override
  public Measured run(Arm arm, int number, double seconds) throws Stopped {
    String command = arm.isB() ? b : a;
    String directory = "arms/%s/%03d".formatted(arm.word(), number);
    try {
      return new Measured(
          trial.run(command, CommandTrial.shell(command), null, 0, record.resolve(directory)),
          directory);
    } catch (Problem e) {
      throw new Problem("%s: %s".formatted(arm.isB() ? "B" : "A", e.getMessage()), e);
    }
  }
}
