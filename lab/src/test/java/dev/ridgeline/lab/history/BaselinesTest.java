package dev.ridgeline.lab.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.lab.SampleRun;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BaselinesTest {
  @TempDir private Path folder;

  @Test
  void aBaselineOutlivesTheRunThatItWasMadeFrom() throws IOException {
    Runs runs = new Runs(folder);
    Run run = SampleRun.of("embed", 100);
    RunDirectory kept = SampleRun.keep(runs, run);
    Baselines baselines = Baselines.of(runs);
    baselines.set("before", kept);
    delete(kept.path());
    assertThat(baselines.find("before").run()).isEqualTo(run);
    assertThat(baselines.list()).containsOnlyKeys("before");
    assertThat(runs.list()).as("baselines are no runs").isEmpty();
  }

  @Test
  void aNameGoesToWhoGotItLast() throws IOException {
    Runs runs = new Runs(folder);
    Baselines baselines = Baselines.of(runs);
    baselines.set("main", SampleRun.keep(runs, SampleRun.of("embed", 100)));
    baselines.set("main", SampleRun.keep(runs, SampleRun.of("embed", 200)));
    assertThat(baselines.find("main").run().metrics().getFirst().median()).isEqualTo(200);
    try (Stream<Path> files = Files.list(baselines.folder())) {
      assertThat(files).as("the name and its copy").hasSize(2);
    }
    assertThat(baselines.remove("main")).isTrue();
    assertThat(baselines.remove("main")).isFalse();
    assertThat(baselines.find("main")).isNull();
    assertThat(baselines.folder()).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "a/b", "../x", ".hidden", "last", "a b"})
  void aNameThatIsNoneIsRefused(String name) {
    Runs runs = new Runs(folder);
    RunDirectory kept = SampleRun.keep(runs, SampleRun.of("embed", 100));
    Baselines baselines = Baselines.of(runs);
    assertThatThrownBy(() -> baselines.set(name, kept))
        .isInstanceOf(FileException.class)
        .message()
        .startsWith("baseline '" + name + "'")
        .hasLineCount(1);
    assertThat(baselines.find(name)).isNull();
    assertThat(baselines.remove(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../../etc", ".copy-", "x"})
  void aDamagedNameIsToldAndCanBeSetAgain(String content) throws IOException {
    Runs runs = new Runs(folder);
    RunDirectory kept = SampleRun.keep(runs, SampleRun.of("embed", 100));
    Baselines baselines = Baselines.of(runs);
    baselines.set("main", kept);
    Files.writeString(baselines.folder().resolve("main"), content);
    assertThatThrownBy(() -> baselines.find("main"))
        .isInstanceOf(FileException.class)
        .message()
        .endsWith("names no run; set the baseline again");
    assertThat(baselines.list()).isEmpty();
    baselines.set("main", kept);
    assertThat(baselines.find("main").run()).isEqualTo(kept.run());
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) Files.delete(file);
    }
    Files.delete(directory);
  }
}
