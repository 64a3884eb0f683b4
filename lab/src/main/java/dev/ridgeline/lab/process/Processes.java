package dev.ridgeline.lab.process;

import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.trial.Runner.Failed;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Trials of arms, each in a process that leaves a folder in the record.
 *
 * @param names what an arm's folder is called
 * @param whose what an arm is called where one fails
 * @param works what an arm does
 */
public record Processes<A>(
    Path record, Function<A, String> names, Function<A, String> whose, Function<A, Work> works)
    implements Runner<A> {
  @Override
  public Measured run(A arm, int number, double seconds, double mostSeconds) throws Stopped {
    String directory = "arms/%s/%03d".formatted(names.apply(arm), number);
    try {
      return works.apply(arm).run(record, directory, seconds, mostSeconds);
    } catch (ProcessException e) {
      throw new Failed(whose.apply(arm), e);
    }
  }
}
