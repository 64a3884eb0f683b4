package dev.ridgeline.train.checkpoint;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.train.log.JournalReader;
import dev.ridgeline.train.log.Line;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed at any moment loses nothing that it has said it kept. */
class KilledWriterTest {
  private static final long SEED = 20261116;
  private static final int TIMES = 12;

  @TempDir Path folder;

  @Test
  void whatWasKeptStaysKept() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    long before = 0;
    for (int time = 0; time < TIMES; time++) {
      String as = "seed %d, kill %d".formatted(SEED, time);
      long said = killed(random.nextInt(60_000_000));
      try (Checkpoints checkpoints = new Checkpoints(folder.resolve("checkpoints"), 2);
          Stream<Path> files = Files.list(folder.resolve("checkpoints"))) {
        Checkpoint newest = checkpoints.newest(warning -> assertThat(warning).as(as).isNull());
        long step = newest.state().step();
        // A last one may be whole before anybody could say so.
        assertThat(step).as(as).isBetween(said, said + 1).isGreaterThan(before);
        assertThat(newest.state())
            .as(as)
            .usingRecursiveComparison()
            .isEqualTo(KilledWriter.state(step));
        newest.read("weights", KilledWriter.ROWS, KilledWriter.COLUMNS, whole(step));
        // Two, a third before it is dropped, and one that is unfinished.
        assertThat(files.count()).as(as).isLessThanOrEqualTo(4);
        List<Line> lines = JournalReader.read(folder.resolve("train.jsonl"));
        assertThat(lines)
            .as(as)
            .extracting(Line::step)
            .startsWith(LongStream.rangeClosed(1, step).boxed().toArray(Long[]::new))
            .hasSizeLessThanOrEqualTo((int) step + 1);
        before = step;
      }
    }
  }

  /** Lets it write, kills it, and answers the last step that it has said. */
  private long killed(long nanoseconds) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      String last = out.readLine();
      assertThat(last).as("what it says first").matches("\\d+");
      LockSupport.parkNanos(nanoseconds);
      // By its handle: a process that is told itself closes what it has said, too.
      process.toHandle().destroyForcibly();
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        last = line;
      }
      return Long.parseLong(last);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static Rows whole(long step) {
    return (from, to, numbers) -> {
      for (long row = from; row < to; row++) {
        for (int column = 0; column < KilledWriter.COLUMNS; column++) {
          long at = (row - from) * KilledWriter.COLUMNS + column;
          float number = numbers.getAtIndex(JAVA_FLOAT, at);
          if (number != KilledWriter.number(step, row, column)) {
            assertThat(number).isEqualTo(KilledWriter.number(step, row, column));
          }
        }
      }
    };
  }
}
