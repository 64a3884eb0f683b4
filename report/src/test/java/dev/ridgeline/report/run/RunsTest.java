package dev.ridgeline.report.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.SampleProfiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class RunsTest {
  private static final Instant NOON = Instant.parse("2026-11-15T12:00:00.987Z");

  @TempDir Path home;

  @Test
  void theOptionWinsOverTheEnvironmentAndThatOverTheFolderAtHand() {
    assertThat(Runs.of(home, "/a", "/b").folder()).isEqualTo(Path.of("/a"));
    assertThat(Runs.of(home, null, "/b").folder()).isEqualTo(Path.of("/b"));
    assertThat(Runs.of(home, "", "").folder()).isEqualTo(home.resolve("runs"));
    assertThat(Runs.of(home, null, null).folder()).isEqualTo(home.resolve("runs"));
    assertThat(Runs.of(home, "x/y", null).folder()).isEqualTo(home.resolve("x/y"));
    assertThatThrownBy(() -> Runs.of(home, "a\0b", null)).isInstanceOf(FileException.class);
  }

  @Test
  void aRunIsReadBackAsItWasWritten() {
    Runs runs = runs();
    Run run = SampleRuns.random(1);
    Profile profile = SampleProfiles.random(1, 50, 2, Level.TRACE);
    RunDirectory directory;
    try (RunDraft draft = runs.begin("kernels", NOON)) {
      draft.write(run);
      draft.write(profile);
      draft.write("run.log", out -> out.write('x'));
      directory = draft.commit();
    }
    assertThat(directory.name()).isEqualTo("20261115T120000Z-kernels");
    assertThat(directory.run()).isEqualTo(run);
    assertThat(directory.profile()).isEqualTo(profile);
    assertThat(files(directory.path())).containsExactly("profile.json", "run.json", "run.log");
    assertThat(files(runs.folder())).containsExactly("20261115T120000Z-kernels");
  }

  @Test
  void runsOfTheSameSecondGetDifferentNames() {
    Runs runs = runs();
    try (RunDraft one = runs.begin("a", NOON);
        RunDraft two = runs.begin("a", NOON)) {
      one.write(SampleRuns.random(1));
      two.write(SampleRuns.random(2));
      assertThat(two.commit().name()).isEqualTo("20261115T120000Z-a");
      assertThat(one.commit().name()).isEqualTo("20261115T120000Z-a-2");
    }
    assertThat(runs.list()).hasSize(2);
  }

  @Test
  void manyAtOnceNeverReplaceEachOther() throws Exception {
    Runs runs = runs();
    List<Future<RunDirectory>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 40; i++) {
        int seed = i;
        all.add(
            threads.submit(
                () -> {
                  try (RunDraft draft = runs.begin("a", NOON)) {
                    draft.write(SampleRuns.random(seed));
                    return draft.commit();
                  }
                }));
      }
    }
    for (int i = 0; i < 40; i++) {
      assertThat(all.get(i).get().run()).isEqualTo(SampleRuns.random(i));
    }
    assertThat(runs.list()).hasSize(40);
  }

  @Test
  void aDraftThatIsGivenUpLeavesNothing() {
    Runs runs = runs();
    try (RunDraft draft = runs.begin("a", NOON)) {
      draft.write(SampleRuns.random(1));
      assertThat(runs.list()).isEmpty();
    }
    assertThat(files(runs.folder())).isEmpty();
  }

  @Test
  void aDraftWithoutItsRunIsNotCommitted() {
    try (RunDraft draft = runs().begin("a", NOON)) {
      assertThatThrownBy(draft::commit).hasMessage("a run needs its run.json");
    }
  }

  @Test
  void oddNamesBecomeFileNames() {
    try (RunDraft draft = runs().begin("../a b/プール " + "x".repeat(100), NOON)) {
      draft.write(SampleRuns.random(1));
      assertThat(draft.commit().name())
          .matches("20261115T120000Z-\\.\\.-a-b-プール-x{40,60}")
          .hasSizeLessThan(90);
    }
  }

  @Test
  void whatAKilledProcessLeftUnfinishedIsIgnoredAndClearedAway() throws IOException {
    Runs runs = runs();
    Path old = draftOf(99_999_999, Duration.ofHours(2));
    Path young = draftOf(99_999_998, Duration.ofSeconds(0));
    assertThat(runs.list()).isEmpty();
    assertThat(runs.salvage()).isEmpty();
    assertThat(old).doesNotExist();
    assertThat(young).doesNotExist();
  }

  @Test
  void aDraftThatIsJustBegunByAnotherProcessIsLeftAlone() throws IOException {
    long other = ProcessHandle.current().parent().orElseThrow().pid();
    Path young = draftOf(other, Duration.ofSeconds(0));
    assertThat(runs().salvage()).isEmpty();
    assertThat(young).exists();
  }

  @Test
  void aLongRunOfAnotherProcessIsLeftAlone() throws Exception {
    Path living = draftOf(99_999_999, Duration.ofHours(2));
    try (FileChannel channel = FileChannel.open(living.resolve(".lock"), StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      runs().begin("a", NOON).close();
    }
    assertThat(living).exists();
  }

  @Test
  void aFolderThatCannotBeWrittenIsSaidSoBeforeTheRun() throws IOException {
    Path file = Files.createFile(home.resolve("file"));
    assertThatThrownBy(() -> new Runs(file).begin("a", NOON))
        .isInstanceOf(FileException.class)
        .hasMessage(file + ": already exists and is not a directory");
    Path below = file.resolve("runs");
    assertThatThrownBy(() -> new Runs(below).begin("a", NOON))
        .isInstanceOf(FileException.class)
        .message()
        .startsWith(below + ": ")
        .hasLineCount(1);
  }

  @Test
  void aFullDiskIsOneLineAndLeavesNothingHalfWritten() throws IOException {
    Path file = home.resolve("report.md");
    Files.writeString(file, "old");
    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    out -> {
                      out.write(new byte[100_000]);
                      throw new IOException("No space left on device");
                    }))
        .isInstanceOf(FileException.class)
        .hasMessage(file + ": No space left on device");
    assertThat(file).hasContent("old");
    assertThat(files(home)).containsExactly("report.md");
  }

  @Test
  void aFinishedRunTakesMoreFiles() {
    RunDirectory run = commit("a", NOON);
    assertThat(run.write("top.txt", out -> out.write('x'))).hasContent("x");
    assertThat(run.write("top.txt", out -> out.write('y'))).hasContent("y");
    assertThat(run.hasProfile()).isFalse();
    assertThatThrownBy(run::profile)
        .hasMessageEndingWith("profile.json: no such file or directory");
  }

  @Test
  void runsAreListedNewestFirst() throws IOException {
    RunDirectory old = commit("b", NOON.minusSeconds(5));
    RunDirectory first = commit("z", NOON);
    RunDirectory second = commit("a", NOON);
    Files.setLastModifiedTime(
        first.path().resolve("run.json"), FileTime.from(NOON.minusSeconds(1)));
    Files.setLastModifiedTime(second.path().resolve("run.json"), FileTime.from(NOON));
    Files.createDirectory(home.resolve("runs/no run"));
    assertThat(runs().list()).containsExactly(second, first, old);
    assertThat(runs().find("last")).isEqualTo(second);
  }

  @Test
  void runsBeforeTheLastAreCountedBack() {
    List<RunDirectory> kept = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      try (RunDraft draft = runs().begin("run" + i, NOON.plusSeconds(i))) {
        draft.write(SampleRuns.random(i));
        kept.add(draft.commit());
      }
    }
    assertThat(runs().find("last~0")).isEqualTo(runs().find("last")).isEqualTo(kept.get(2));
    assertThat(runs().find("last~1")).isEqualTo(kept.get(1));
    assertThat(runs().find("last~2")).isEqualTo(kept.get(0));
    assertThatThrownBy(() -> runs().find("last~3"))
        .hasMessage("no run 'last~3': there are only 3 runs in " + runs().folder());
    for (String word : List.of("last~", "last~x", "last~-1", "last~99999999999", "last~1~1")) {
      assertThatThrownBy(() -> runs().find(word))
          .hasMessage("no run '%s': last~1 is the run before the last", word);
    }
  }

  @Test
  void aRunIsFoundByPathNameAndBeginning() {
    assertThatThrownBy(() -> runs().find("last"))
        .hasMessage("no run 'last': there is no folder " + home.resolve("runs"));
    RunDirectory a = commit("a", NOON);
    RunDirectory ab = commit("ab", NOON);
    RunDirectory later = commit("a", NOON.plusSeconds(60));
    Runs runs = runs();
    assertThat(runs.find(a.path().toString())).isEqualTo(a);
    assertThat(runs.find(a.path().resolve("run.json").toString())).isEqualTo(a);
    assertThat(runs.find("20261115T120000Z-a")).isEqualTo(a);
    assertThat(runs.find("20261115T120000Z-ab")).isEqualTo(ab);
    assertThat(runs.find("20261115T1201")).isEqualTo(later);
    assertThatThrownBy(() -> runs.find("20261115T12"))
        .isInstanceOf(FileException.class)
        .hasMessageEndingWith(
            ": '20261115T12' begins 3 runs, the newest of them 20261115T120100Z-a");
    assertThatThrownBy(() -> runs.find("x\0y"))
        .hasMessage(
            "no run 'x\\u0000y': the newest in %s is 20261115T120100Z-a".formatted(runs.folder()));
    assertThatThrownBy(() -> runs.find(home.toString()))
        .hasMessage("no run '" + home + "': there is no run.json in it");
  }

  @Test
  void whatIsNoRunIsNamedAsItWasGiven() throws IOException {
    Path loop = home.resolve("loop");
    Files.createSymbolicLink(loop, loop);
    assertThatThrownBy(() -> runs().find(""))
        .hasMessage("no run '': give a path, a name or 'last'");
    assertThatThrownBy(() -> runs().find(".")).hasMessage("no run '.': there is no run.json in it");
    assertThatThrownBy(() -> runs().find("/tmp/none/such"))
        .hasMessage("no run '/tmp/none/such': no such file or directory");
    assertThatThrownBy(() -> runs().find(loop.toString()))
        .hasMessage("no run '" + loop + "': a link that leads nowhere");
    Files.createDirectory(home.resolve("runs"));
    assertThatThrownBy(() -> runs().find("last"))
        .hasMessage("no run 'last': no runs in " + home.resolve("runs") + " yet");
  }

  @Test
  void aPipeInPlaceOfAFileIsNotWaitedFor() throws Exception {
    RunDirectory run = commit("a", NOON);
    for (String name : List.of("run.json", "profile.json")) {
      Path pipe = run.path().resolve(name);
      Files.deleteIfExists(pipe);
      pipe(pipe);
    }
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          assertThatThrownBy(run::run).hasMessageEndingWith("run.json: not a file");
          assertThatThrownBy(run::profile).hasMessageEndingWith("profile.json: not a file");
        });
  }

  @Test
  void aLinkStaysOneAndTheFileBehindItIsWritten() throws IOException {
    Path behind = Files.writeString(home.resolve("behind"), "old");
    Path link = Files.createSymbolicLink(home.resolve("link"), Path.of("behind"));
    Path second = Files.createSymbolicLink(home.resolve("second"), link);
    WholeFile.write(second, out -> out.write('x'));
    assertThat(second).isSymbolicLink();
    assertThat(link).isSymbolicLink();
    assertThat(behind).isRegularFile().hasContent("x");
    Files.delete(behind);
    WholeFile.write(link, out -> out.write('y'));
    assertThat(link).isSymbolicLink();
    assertThat(behind).hasContent("y");
    Path loop = Files.createSymbolicLink(home.resolve("loop"), Path.of("loop"));
    assertThatThrownBy(() -> WholeFile.write(loop, out -> out.write('z')))
        .hasMessage(loop + ": a symbolic link that leads to itself");
  }

  @Test
  void aPipeIsWrittenThrough() throws Exception {
    Path pipe = home.resolve("pipe");
    pipe(pipe);
    try (ExecutorService reader = Executors.newSingleThreadExecutor()) {
      Future<String> read = reader.submit(() -> Files.readString(pipe));
      WholeFile.write(pipe, out -> out.write('x'));
      assertThat(read.get()).isEqualTo("x");
    }
    assertThat(Files.isRegularFile(pipe)).isFalse();
    assertThat(files(home)).containsExactly("pipe");
  }

  private static void pipe(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
  }

  private Runs runs() {
    return Runs.of(home, null, null);
  }

  private RunDirectory commit(String name, Instant started) {
    try (RunDraft draft = runs().begin(name, started)) {
      draft.write(SampleRuns.random(1));
      return draft.commit();
    }
  }

  private Path draftOf(long pid, Duration age) throws IOException {
    Path draft = Files.createDirectories(home.resolve("runs/.tmp-" + pid + "-x"));
    Files.createFile(draft.resolve(".lock"));
    Files.createFile(draft.resolve("run.json"));
    Files.setLastModifiedTime(draft, FileTime.from(Instant.now().minus(age)));
    return draft;
  }

  private static List<String> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
