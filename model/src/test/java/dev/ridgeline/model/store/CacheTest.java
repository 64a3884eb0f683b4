package dev.ridgeline.model.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CacheTest {
  private static final ModelName NAME = ModelName.of("synth:minilm-l6:f32");
  private static final String SOURCE = "source";

  private static final Cache.Maker BROKEN =
      work -> {
        Files.writeString(work.resolve("on the way"), "x");
        throw new IOException("No space left on device");
      };

  @TempDir private Path folder;
  private Cache cache;
  private final AtomicInteger made = new AtomicInteger();

  @BeforeEach
  void emptyCache() {
    cache = new Cache(folder.resolve("cache"));
  }

  private Cache.Made make(Path work) throws IOException {
    made.incrementAndGet();
    Files.writeString(work.resolve("on the way"), "x");
    return new Cache.Made(Files.writeString(work.resolve("m"), "GGUF content"), null);
  }

  private Path get() {
    return cache.get(NAME, SOURCE, this::make, Progress.SILENT);
  }

  @Test
  void theFolderIsThatOfTheEnvironment() {
    assertThat(Cache.usualFolder(Map.of("RIDGELINE_CACHE", "/a", "XDG_CACHE_HOME", "/b")))
        .isEqualTo(Path.of("/a"));
    assertThat(Cache.usualFolder(Map.of("XDG_CACHE_HOME", "/b")))
        .isEqualTo(Path.of("/b/ridgeline"));
    assertThat(Cache.usualFolder(Map.of("HOME", "/h"))).isEqualTo(Path.of("/h/.cache/ridgeline"));
    Path home = Path.of(System.getProperty("user.home"), ".cache/ridgeline");
    assertThat(Cache.usualFolder(Map.of("XDG_CACHE_HOME", "relative"))).isEqualTo(home);
    assertThat(Cache.usualFolder(Map.of("RIDGELINE_CACHE", " "))).isEqualTo(home);
    assertThat(Cache.usualFolder(Map.of("HOME", ""))).isEqualTo(home);
  }

  @Test
  void whatWasMadeIsNotMadeAgain() {
    Path file = get();
    assertThat(file).hasContent("GGUF content");
    assertThat(get()).isEqualTo(file);
    assertThat(made).hasValue(1);
    assertThat(cache.has(NAME, SOURCE)).isTrue();
    assertThat(cache.folder().resolve("work")).doesNotExist();
  }

  @Test
  void whatCannotBeMadeLeavesNoFolder() throws IOException {
    assertThatThrownBy(() -> cache.get(NAME, SOURCE, BROKEN, Progress.SILENT))
        .isInstanceOf(StoreException.class)
        .hasMessageEndingWith(": No space left on device");
    assertThat(cache.folder()).isDirectoryNotContaining(path -> !path.endsWith("locks"));

    // What others have there stays, and so does a link to where there is more room.
    Path roomy = Files.createDirectory(folder.resolve("roomy"));
    Files.createSymbolicLink(cache.folder().resolve("models"), roomy);
    Path other = Files.createDirectories(cache.folder().resolve("work/synth/other.gguf"));
    assertThatThrownBy(() -> cache.get(NAME, SOURCE, BROKEN, Progress.SILENT))
        .isInstanceOf(StoreException.class);
    assertThat(cache.folder().resolve("models")).isSymbolicLink();
    assertThat(other).isEmptyDirectory();
    assertThat(other.getParent()).isDirectoryNotContaining(path -> !path.equals(other));
    assertThat(get()).hasContent("GGUF content");
  }

  @Test
  void foldersThatOneDeletesAndAnotherNeedsAreMadeAgain() throws Exception {
    int rounds = 300;
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    for (String type : List.of("f32", "f16", "q8_0", "q4_0")) {
      ModelName name = ModelName.of("synth:minilm-l6:" + type);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < rounds; i++) {
                        Path file = cache.get(name, SOURCE, this::make, Progress.SILENT);
                        Files.delete(Stamp.beside(file));
                        Files.delete(file);
                        assertThatThrownBy(() -> cache.get(name, SOURCE, BROKEN, Progress.SILENT))
                            .hasMessageEndingWith(": No space left on device");
                      }
                    } catch (Throwable e) {
                      failures.add(e);
                    }
                  }));
    }
    for (Thread thread : threads) thread.join();
    assertThat(failures).isEmpty();
    assertThat(made).hasValue(4 * rounds);
  }

  @Test
  void whatWasMadeOfSomethingElseIsMadeAgain() {
    get();
    assertThat(cache.has(NAME, "another")).isFalse();
    cache.get(NAME, "another", this::make, Progress.SILENT);
    assertThat(made).hasValue(2);
  }

  @Test
  void aFileThatLostItsTailIsMadeAgain() throws IOException {
    Files.writeString(get(), "GGUF con");
    assertThat(get()).hasContent("GGUF content");
    assertThat(made).hasValue(2);
  }

  @Test
  void aFileThatWasChangedIsMadeAgain() throws IOException {
    Path file = get();
    Files.writeString(file, "GGUF kontent");
    Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
    assertThat(get()).hasContent("GGUF content");
    assertThat(made).hasValue(2);
  }

  @Test
  void aFileThatOnlyHasAnotherTimeIsCheckedOnce() throws IOException {
    Path file = get();
    Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
    List<String> steps = new ArrayList<>();
    Progress progress =
        new Progress() {
          @Override
          public void step(String what) {
            steps.add(what);
          }
        };
    cache.get(NAME, SOURCE, this::make, progress);
    cache.get(NAME, SOURCE, this::make, progress);
    assertThat(steps).containsExactly("checking synth:minilm-l6:f32");
    assertThat(made).hasValue(1);
  }

  @Test
  void aFileWithoutAStampIsMadeAgain() throws IOException {
    Path file = get();
    Files.delete(Stamp.beside(file));
    assertThat(cache.entries()).singleElement().matches(entry -> !entry.finished());
    get();
    Files.writeString(Stamp.beside(file), "size=many");
    get();
    assertThat(made).hasValue(3);
  }

  @Test
  void aFailureLeavesNothingAndIsOneLine() {
    Cache.Maker full =
        work -> {
          Files.writeString(work.resolve("half"), "x");
          throw new IOException("No space left on device");
        };
    assertThatThrownBy(() -> cache.get(NAME, SOURCE, full, Progress.SILENT))
        .isInstanceOf(StoreException.class)
        .hasMessageEndingWith("minilm-l6.f32.gguf: No space left on device");
    assertThat(cache.entries()).isEmpty();
    assertThat(get()).hasContent("GGUF content");
  }

  @Test
  void whatAKilledProcessLeftIsInNobodysWay() throws IOException {
    Path work = Files.createDirectories(cache.folder().resolve("work/synth/minilm-l6.f32.gguf"));
    Files.writeString(work.resolve("m"), "half of something that was longer than the model");
    assertThat(cache.entries()).singleElement().matches(entry -> !entry.finished());
    assertThat(get()).hasContent("GGUF content");
    assertThat(work).doesNotExist();
  }

  @Test
  void aFolderThatCannotBeIsOneLine() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    cache = new Cache(file.resolve("below"));
    assertThatThrownBy(this::get).isInstanceOf(StoreException.class).hasMessageContaining("file");
  }

  @Test
  void threadsMakeAModelOnce() throws Exception {
    try (var threads = Executors.newFixedThreadPool(8)) {
      List<Future<Path>> paths =
          threads.invokeAll(java.util.Collections.nCopies(32, (Callable<Path>) this::get));
      for (Future<Path> path : paths) assertThat(path.get()).hasContent("GGUF content");
    }
    assertThat(made).hasValue(1);
  }

  /** In its own process: makes the model slowly, and counts in a file how often anybody did. */
  static final class OtherProcess {
    public static void main(String[] args) {
      Path counted = Path.of(args[1]);
      new Cache(Path.of(args[0]))
          .get(
              NAME,
              SOURCE,
              work -> {
                Files.writeString(Files.createTempFile(counted, "made", ""), "");
                Path file = Files.writeString(work.resolve("m"), "GGUF con");
                try {
                  Thread.sleep(300);
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
                return new Cache.Made(Files.writeString(file, "GGUF content"), null);
              },
              Progress.SILENT);
    }
  }

  @Test
  void processesMakeAModelOnce() throws Exception {
    Path counted = Files.createDirectory(folder.resolve("counted"));
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  OtherProcess.class.getName(),
                  cache.folder().toString(),
                  counted.toString())
              .inheritIO()
              .start());
    }
    for (Process process : processes) {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isZero();
    }
    try (var files = Files.list(counted)) {
      assertThat(files).hasSize(1);
    }
    assertThat(get()).hasContent("GGUF content");
    assertThat(made).hasValue(0);
  }

  @Test
  void verifyingReadsEveryByte() throws IOException {
    Path file = get();
    FileTime time = Files.getLastModifiedTime(file);
    Cache.Entry entry = cache.entries().getFirst();
    assertThat(cache.verify(entry, Progress.SILENT)).isTrue();
    Files.writeString(file, "GGUF kontent");
    Files.setLastModifiedTime(file, time);
    assertThat(cache.has(NAME, SOURCE)).as("the fast check cannot see it").isTrue();
    assertThat(cache.verify(entry, Progress.SILENT)).isFalse();
  }

  @Test
  void whatIsDeletedIsGone() {
    get();
    cache.delete(cache.entries().getFirst(), Progress.SILENT);
    assertThat(cache.entries()).isEmpty();
    assertThat(cache.has(NAME, SOURCE)).isFalse();
    get();
    assertThat(made).hasValue(2);
  }

  @Test
  void aModelRemembersWhenItWasLastUsed() throws IOException {
    Path file = get();
    Files.setLastModifiedTime(Stamp.beside(file), FileTime.from(Instant.EPOCH));
    assertThat(cache.entries().getFirst().lastUse()).isEqualTo(Instant.EPOCH);
    get();
    assertThat(cache.entries().getFirst().lastUse()).isAfter(Instant.EPOCH);
    assertThat(made).hasValue(1);
  }
}
