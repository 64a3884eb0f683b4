package dev.ridgeline.lab.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.store.Progress;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CeilingsStoreTest {
  private static final Ceilings ROOF = MadeUp.roof();

  @TempDir private Path folder;
  private final List<String> notes = new ArrayList<>();
  private int measured;
  private Instant now = MadeUp.MEASURED.plusSeconds(60);

  private final Progress progress =
      new Progress() {
        @Override
        public void note(String what) {
          notes.add(what);
        }
      };

  private boolean disturbed;
  private double speed = 1;

  private CeilingsStore store(String key) {
    return new CeilingsStore(
        folder,
        key,
        () -> now,
        _ -> {
          measured++;
          return MadeUp.roof(now, speed, disturbed);
        });
  }

  @Test
  void aMachineIsMeasuredOnce() {
    assertThat(store("a").kept()).isEmpty();
    Ceilings first = store("a").here(progress);
    now = now.plus(Duration.ofDays(6));
    assertThat(store("a").here(progress)).isEqualTo(first);
    assertThat(store("a").kept()).contains(first);
    assertThat(measured).isEqualTo(1);
    assertThat(notes).isEmpty();
  }

  @Test
  void anotherMachineOrJvmIsMeasuredByItself() {
    store("a").here(progress);
    store("b").here(progress);
    store("a").here(progress);
    assertThat(measured).isEqualTo(2);
  }

  @Test
  void whatIsAWeekOldOrFromTheFutureIsMeasuredAgain() {
    store("a").here(progress);
    now = now.plus(Duration.ofDays(7));
    store("a").here(progress);
    assertThat(measured).isEqualTo(2);
    now = now.minus(Duration.ofDays(30));
    store("a").here(progress);
    assertThat(measured).isEqualTo(3);
  }

  @Test
  void whatWasMeasuredOnABusyMachineIsMeasuredAgainSoon() {
    disturbed = true;
    store("a").here(progress);
    now = now.plus(Duration.ofMinutes(9));
    assertThat(store("a").here(progress).disturbed()).isTrue();
    assertThat(measured).isEqualTo(1);
    disturbed = false;
    now = now.plus(Duration.ofMinutes(1));
    assertThat(store("a").here(progress).disturbed()).isFalse();
    assertThat(measured).isEqualTo(2);
  }

  @Test
  void aBusyMomentDoesNotReplaceAQuietOne() {
    Ceilings quiet = store("a").here(progress);
    now = now.plus(Duration.ofDays(1));
    disturbed = true;
    speed = 0.5;
    CeilingsStore.Measured busy = store("a").measure(progress, false);
    assertThat(busy.now().memory(Level.DRAM).orElseThrow().all().read().typical()).isEqualTo(5e9);
    Ceilings kept = store("a").kept().orElseThrow();
    assertThat(kept).isEqualTo(busy.roof());
    assertThat(kept.disturbed()).isFalse();
    assertThat(kept.measured()).isEqualTo(now);
    Rate read = kept.memory(Level.DRAM).orElseThrow().all().read();
    assertThat(read.typical()).isEqualTo(1e10);
    assertThat(kept.measured(read)).isEqualTo(quiet.measured());
    assertThat(store("a").here(progress)).as("and is believed for a week").isEqualTo(kept);
    assertThat(measured).isEqualTo(2);
  }

  @Test
  void eachCeilingIsKeptByItself() {
    store("a").write(Sheet.parse("f32=294").on(mixed(store("a").here(progress), 2, 0.5)));
    now = now.plus(Duration.ofDays(1));
    Ceilings roof = store("a").measure(progress, false).roof();
    Compute f32 = roof.compute(Arithmetic.F32).orElseThrow();
    assertThat(f32.one().typical()).isEqualTo(1e11);
    assertThat(f32.one().kept()).isEqualTo(MadeUp.MEASURED.plusSeconds(60));
    assertThat(f32.all().typical()).isEqualTo(1e11);
    assertThat(f32.all().kept()).isNull();
    assertThat(f32.sheet()).isEqualTo(294e9);
  }

  /** With f32 on one core and on all so many times as fast. */
  private static Ceilings mixed(Ceilings roof, double one, double all) {
    List<Compute> compute = new ArrayList<>(roof.compute());
    Compute f32 = compute.getFirst();
    Rate first = MadeUp.rate(f32.one().typical() * one, null, false);
    Rate second = MadeUp.rate(f32.all().typical() * all, null, false);
    compute.set(0, new Compute(f32.kind(), f32.bits(), first, second, 0));
    return new Ceilings(roof.measured(), roof.cores(), compute, roof.memory());
  }

  @Test
  void whoSaysSoGetsWhatIsMeasuredNow() {
    store("a").here(progress);
    now = now.plus(Duration.ofDays(1));
    speed = 0.5;
    Ceilings roof = store("a").measure(progress, true).roof();
    assertThat(roof).isEqualTo(MadeUp.roof(now, 0.5, false));
    assertThat(store("a").kept()).contains(roof);
  }

  @Test
  void aHigherCeilingIsForgottenAfterAMonth() {
    store("a").here(progress);
    speed = 0.5;
    for (int week = 1; week <= 5; week++) {
      now = now.plus(Duration.ofDays(7));
      double read =
          store("a").here(progress).memory(Level.DRAM).orElseThrow().all().read().typical();
      assertThat(read).as("week " + week).isEqualTo(week <= 4 ? 1e10 : 5e9);
    }
  }

  @Test
  void whatAFileOfBeforeSaysOfAllIsTrueOfEach() throws IOException {
    store("a").here(progress);
    String quiet = Files.readString(file());
    assertThat(quiet).doesNotContain("isturbed");
    Files.writeString(file(), quiet.replaceFirst("\"cores\"", "\"disturbed\": true, \"cores\""));
    assertThat(store("a").kept()).contains(MadeUp.roof(now, 1, true));
  }

  @Test
  void aDamagedFileIsMeasuredAgainWithOneWarning() throws IOException {
    store("a").here(progress);
    Path file = file();
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {0, 1, whole.length / 2, whole.length - 2}) {
      Files.write(file, Arrays.copyOf(whole, length));
      notes.clear();
      assertThat(store("a").here(progress).compute()).isEqualTo(ROOF.compute());
      assertThat(notes)
          .hasSize(1)
          .allMatch(note -> note.endsWith("; the ceilings are measured again"));
    }
    assertThat(measured).isEqualTo(5);
    assertThat(Files.readAllBytes(file)).isEqualTo(whole);
  }

  private Path file() throws IOException {
    try (var files = Files.list(folder.resolve("ceilings"))) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1); // and nothing unfinished beside it
      return all.getFirst();
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsNoReasonToFail() throws IOException {
    Files.writeString(folder.resolve("ceilings"), "a file");
    assertThat(store("a").here(progress).isKnown()).isTrue();
    assertThat(notes).hasSize(1).allMatch(note -> note.startsWith("the ceilings are not kept: "));
  }

  @Test
  void peaksOfADataSheetSurviveTheNextMeasurement() {
    CeilingsStore store = store("a");
    store.write(Sheet.parse("f32=294, dram=51.2").on(store.here(progress)));
    now = now.plus(Duration.ofDays(8));
    Ceilings again = store.here(progress);
    assertThat(measured).isEqualTo(2);
    assertThat(again.compute(Arithmetic.F32).orElseThrow().sheet()).isEqualTo(294e9);
    assertThat(again.memory(Level.DRAM).orElseThrow().sheet()).isEqualTo(51.2e9);
    assertThat(again.compute(Arithmetic.INT8).orElseThrow().sheet()).isZero();
  }

  @Test
  void aSheetThatMakesNoSenseIsRefused() {
    for (String wrong :
        List.of("", "f32", "f32=", "f32=x", "f32=-1", "gpu=3", "f32=1,f32=2", "f32=1e99")) {
      assertThatThrownBy(() -> Sheet.parse(wrong)).hasMessageContaining("is not NAME=NUMBER");
    }
    assertThat(Sheet.parse("bf16=1").missingIn(ROOF)).isEqualTo("bf16");
    assertThat(Sheet.parse("l1=1").missingIn(ROOF)).isEqualTo("l1");
    assertThat(Sheet.parse("l3=1,F32=2").missingIn(ROOF)).isNull();
  }
}
