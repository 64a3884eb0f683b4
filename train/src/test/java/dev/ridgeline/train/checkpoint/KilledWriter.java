package dev.ridgeline.train.checkpoint;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.ridgeline.train.data.Position;
import dev.ridgeline.train.log.Journal;
import java.nio.file.Path;
import java.util.List;

/** A process that keeps what it has reached after each step, until it is killed. */
final class KilledWriter {
  static final int ROWS = 500;
  static final int COLUMNS = 1000;

  private KilledWriter() {}

  /**
   * @param args the folder
   */
  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    try (Checkpoints checkpoints = new Checkpoints(folder.resolve("checkpoints"), 2)) {
      Checkpoint newest = checkpoints.newest(System.out::println);
      long step = newest == null ? 0 : newest.state().step();
      try (Journal journal = Journal.resume(folder.resolve("train.jsonl"), step, _ -> {})) {
        while (true) {
          step++;
          journal.step(step, 1.0 / step, 0, 0, 0, 0, 0);
          checkpoints.write(state(step), List.of(tensor(step)));
          System.out.println(step);
        }
      }
    }
  }

  static TrainState state(long step) {
    return new TrainState(step, new Position(0, (int) step), "", new double[0]);
  }

  private static TensorSource tensor(long step) {
    return new TensorSource(
        "weights",
        ROWS,
        COLUMNS,
        (from, to, out) -> {
          for (long row = from; row < to; row++) {
            for (int column = 0; column < COLUMNS; column++) {
              long at = (row - from) * COLUMNS + column;
              out.setAtIndex(JAVA_FLOAT, at, number(step, row, column));
            }
          }
        });
  }

  static float number(long step, long row, int column) {
    return step * 31 + row * 17 + column;
  }
}
