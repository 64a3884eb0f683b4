package dev.ridgeline.lab.history.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.lab.SampleRun;
import dev.ridgeline.lab.history.History.Kept;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunJson;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class RunIndexTest {
  @TempDir private Path folder;
  private Runs runs;
  private long moment;

  @BeforeEach
  void aFolder() {
    runs = new Runs(folder.resolve("runs"));
  }

  private RunDirectory keep(int minute, double rate) {
    Run run = SampleRun.at(SampleRun.of("embed", rate, rate + 1), minute);
    return settled(SampleRun.keep(runs, run));
  }

  /** As if it had been written some time ago, each at another moment. */
  private RunDirectory settled(RunDirectory directory) {
    assertThat(
            directory
                .path()
                .resolve("run.json")
                .toFile()
                .setLastModified(1_000_000_000L + moment++))
        .isTrue();
    return directory;
  }

  private Path file() {
    return RunIndex.folder(runs).resolve("runs");
  }

  /** How many runs are read that the index does not know. */
  private int readAnew() {
    AtomicInteger read = new AtomicInteger();
    RunIndex.of(runs, (_, _) -> read.incrementAndGet());
    return read.get();
  }

  /** The list as it is without an index. */
  private static List<Kept> readAll(Runs runs) {
    List<Kept> all = new ArrayList<>();
    for (RunDirectory directory : runs.list()) {
      try {
        all.add(new Kept(directory, directory.run().inBrief()));
      } catch (FileException _) {
        // Damaged.
      }
    }
    return all;
  }

  @Test
  void aFolderThatIsNotThereHasNoRunsAndIsNotMade() {
    RunIndex index = RunIndex.of(runs);
    assertThat(index.size()).isZero();
    assertThat(index.runs()).isEmpty();
    assertThat(runs.folder()).doesNotExist();
  }

  @Test
  void runsAreReadOnce() {
    keep(0, 100);
    keep(1, 200);
    assertThat(readAnew()).isEqualTo(2);
    assertThat(readAnew()).isZero();
    keep(2, 300);
    assertThat(readAnew()).isEqualTo(1);
    assertThat(RunIndex.of(runs).runs()).isEqualTo(readAll(runs));
  }

  @Test
  void theNewestComeFirst() {
    for (int minute : new int[] {3, 1, 2}) keep(minute, minute);
    assertThat(RunIndex.of(runs).newest(2))
        .extracting(kept -> kept.run().metrics().getFirst().median())
        .containsExactly(3.5, 2.5);
    assertThat(RunIndex.of(runs).newest(9)).hasSize(3);
  }

  @Test
  void aRunThatIsRemovedVanishes() {
    RunDirectory first = keep(0, 100);
    keep(1, 200);
    RunIndex.of(runs);
    Runs.delete(first.path());
    assertThat(RunIndex.of(runs).runs()).isEqualTo(readAll(runs)).hasSize(1);
    assertThat(file()).content().doesNotContain(first.name());
  }

  @Test
  void aRunThatIsReplacedIsReadAgain() throws IOException {
    RunDirectory directory = keep(0, 100);
    RunIndex.of(runs);
    write(directory, SampleRun.of("embed", 777));
    assertThat(RunIndex.of(runs).runs().getFirst().run().metrics().getFirst().median())
        .isEqualTo(777);
  }

  @Test
  void whatWasWrittenJustNowIsReadAgain() {
    RunDirectory directory = keep(0, 100);
    assertThat(
            directory
                .path()
                .resolve("run.json")
                .toFile()
                .setLastModified(System.currentTimeMillis() + 60_000))
        .isTrue();
    assertThat(readAnew()).isEqualTo(1);
    assertThat(readAnew()).isEqualTo(1);
  }

  @Test
  void aDamagedRunIsToldEveryTimeAndHidesNoOther() throws IOException {
    keep(0, 100);
    RunDirectory cut = keep(1, 200);
    String whole = Files.readString(cut.path().resolve("run.json"));
    for (String bad :
        List.of("", "{", "[]", whole.substring(0, 300), whole.replace(": 1,", ": 9,"))) {
      Files.writeString(cut.path().resolve("run.json"), bad);
      for (int i = 0; i < 2; i++) {
        RunIndex index = RunIndex.of(runs);
        assertThat(index.damaged()).as(bad).hasSize(1).first().asString().contains(cut.name());
        assertThat(index.size()).isEqualTo(1);
        assertThat(index.runs()).isEqualTo(readAll(runs)).hasSize(1);
      }
    }
    Files.writeString(cut.path().resolve("run.json"), whole);
    assertThat(RunIndex.of(runs).damaged()).isEmpty();
    assertThat(RunIndex.of(runs).size()).isEqualTo(2);
  }

  @Test
  void optionsSeriesAndCeilingsAreLeftToTheRunItself() {
    RunDirectory directory = keep(0, 100);
    RunIndex.of(runs);
    Run brief = RunIndex.of(runs).runs().getFirst().run();
    assertThat(brief).isEqualTo(directory.run().inBrief());
    assertThat(directory.run().options()).isNotEmpty();
    assertThat(brief.options()).isEmpty();
  }

  @Test
  void whereNoIndexCanBeWrittenRunsAreReadEveryTime() throws IOException {
    keep(0, 100);
    Files.writeString(RunIndex.folder(runs), "in the way");
    assertThat(readAnew()).isEqualTo(1);
    assertThat(readAnew()).isEqualTo(1);
    assertThat(RunIndex.of(runs).runs()).isEqualTo(readAll(runs)).hasSize(1);
    assertThat(RunIndex.folder(runs)).hasContent("in the way");
  }

  @Test
  void anIndexOfAnotherVersionIsMadeAnew() throws IOException {
    keep(0, 100);
    RunIndex.of(runs);
    byte[] own = Files.readAllBytes(file());
    Files.writeString(file(), Files.readString(file()).replaceFirst("index 1", "index 2"));
    assertThat(readAnew()).isEqualTo(1);
    assertThat(file()).hasBinaryContent(own);
  }

  @Test
  void whatKilledProcessesLeftIsClearedAway() throws IOException {
    keep(0, 100);
    Path left = Files.createDirectories(RunIndex.folder(runs).resolve(".tmp-1/below"));
    Path fresh = Files.writeString(RunIndex.folder(runs).resolve(".tmp-2"), "");
    FileTime old = FileTime.from(Instant.now().minusSeconds(7200));
    Files.setLastModifiedTime(left.getParent(), old);
    RunIndex.of(runs);
    assertThat(left.getParent()).doesNotExist();
    assertThat(fresh).exists();
  }

  @Test
  void aNameThatNoLineCanHoldIsReadEveryTime() throws IOException {
    RunDirectory directory = keep(0, 100);
    Files.move(directory.path(), directory.path().resolveSibling("a\tb\nc"));
    RunIndex.of(runs);
    assertThat(readAnew()).isEqualTo(1);
    assertThat(RunIndex.of(runs).runs()).isEqualTo(readAll(runs)).hasSize(1);
  }

  @Test
  void severalWritersAndReadersAtOnceAgree() throws Exception {
    for (int i = 0; i < 10; i++) keep(i, i);
    List<Kept> all = readAll(runs);
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<List<Kept>>> answers = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        boolean forgets = i % 5 == 0;
        answers.add(
            threads.submit(
                () -> {
                  if (forgets) Files.deleteIfExists(file());
                  return RunIndex.of(runs).runs();
                }));
      }
      for (var answer : answers) assertThat(answer.get()).isEqualTo(all);
    }
    try (var files = Files.list(RunIndex.folder(runs))) {
      assertThat(files).containsExactly(file());
    }
  }

  /** Whatever happens to the runs, the list is the one that reading all of them gives. */
  @Test
  void theIndexGivesTheSameListAsReadingAllFiles() throws IOException {
    for (long seed = 1; seed <= 5; seed++) {
      Runs own = new Runs(folder.resolve("of seed " + seed));
      Random random = new Random(seed);
      for (int step = 0; step < 40; step++) {
        change(own, random);
        if (random.nextBoolean()) {
          assertThat(RunIndex.of(own).runs())
              .as("seed %d, step %d", seed, step)
              .isEqualTo(readAll(own));
        }
      }
    }
  }

  private void change(Runs runs, Random random) throws IOException {
    List<RunDirectory> all = runs.list();
    RunDirectory one = all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    Run run = SampleRun.at(SampleRun.of("embed", 1 + random.nextInt(99)), random.nextInt(1000));
    switch (one == null ? 0 : random.nextInt(8)) {
      case 1 -> Runs.delete(one.path());
      case 2 -> write(one, SampleRun.changed(run, "rev" + random.nextInt(9), Map.of("a", "\t\n…")));
      case 3 -> Files.writeString(one.path().resolve("run.json"), "{");
      case 4 -> {
        Path to = one.path().resolveSibling("moved" + random.nextInt(1000));
        if (!Files.exists(to)) Files.move(one.path(), to);
      }
      default -> settled(SampleRun.keep(runs, run));
    }
  }

  private void write(RunDirectory directory, Run run) {
    directory.write("run.json", out -> RunJson.write(run, out));
    settled(directory);
  }

  /** Bytes of the index may be anything: what is told of the runs does not change. */
  @Test
  void aDamagedIndexIsAsGoodAsNone() throws IOException {
    for (int i = 0; i < 6; i++) keep(i, 100 + i);
    List<Kept> all = RunIndex.of(runs).runs();
    byte[] whole = Files.readAllBytes(file());
    for (long seed = 1; seed <= 150; seed++) {
      Files.write(file(), mutated(whole, new Random(seed)));
      assertThat(RunIndex.of(runs).runs()).as("seed %d", seed).isEqualTo(all);
      // And it was mended.
      assertThat(readAnew()).as("seed %d", seed).isZero();
    }
  }

  private static byte[] mutated(byte[] whole, Random random) {
    byte[] bytes = whole.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) "\n\t 0\0".charAt(random.nextInt(5));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 3 -> {
          byte[] longer = Arrays.copyOf(bytes, bytes.length + at);
          System.arraycopy(bytes, 0, longer, bytes.length, at);
          bytes = longer;
        }
        default -> {
          int length = Math.min(random.nextInt(200), bytes.length - at);
          System.arraycopy(whole, random.nextInt(whole.length - length), bytes, at, length);
        }
      }
    }
    return bytes;
  }
}
