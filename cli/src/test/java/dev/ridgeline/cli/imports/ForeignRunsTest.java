package dev.ridgeline.cli.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.report.run.Runs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignRunsTest {
  @TempDir private Path folder;

  @Test
  void aFileThatIsImportedByManyAtOnceIsImportedOnce() throws Exception {
    StringBuilder results = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      results.append(
          "%s{\"command\": \"sleep %d\", \"mean\": 1, \"times\": [1]}"
              .formatted(i == 0 ? "" : ", ", i));
    }
    Path file = folder.resolve("bench.json");
    Files.writeString(file, "{\"results\": [" + results + "]}");
    Runs runs = new Runs(folder.resolve("runs"));
    CountDownLatch together = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      together.await();
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                    ForeignRuns.add(file, runs, new PrintWriter(new StringWriter()));
                  }));
    }
    together.countDown();
    for (Thread thread : threads) thread.join();
    assertThat(runs.list()).hasSize(20);
  }
}
