package dev.ridgeline.tensor.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import dev.ridgeline.tensor.tune.TilingTable.Choice;
import dev.ridgeline.tensor.tune.TilingTable.Unusable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TilingTest {
  private static final Instant THEN = Instant.parse("2026-11-16T05:30:00Z");

  @TempDir private Path cache;

  /** Two choices that are not the defaults of a tier. */
  private static TilingTable table(String machine, Tier tier) {
    int rows = Tunable.F32_ROWS.choices(tier)[0];
    return new TilingTable(
        machine,
        THEN,
        List.of(
            new Choice(Tunable.F32_ROWS, rows, "−3 %, twice", List.of(0.97, 0.96), List.of(0.98)),
            new Choice(Tunable.BAND, 64, "−5 %, twice", List.of(0.95), List.of(0.9512))));
  }

  private Path kept(TilingTable table) throws IOException {
    Path file = TilingTable.file(cache, table.machine());
    Files.createDirectories(file.getParent());
    return Files.writeString(file, table.text());
  }

  @ParameterizedTest
  @EnumSource
  void everyDefaultIsAmongTheChoices(Tunable tunable) {
    for (Tier tier : Tier.values()) {
      assertThat(tunable.choices(tier)).contains(tunable.preset(tier)).isSorted();
    }
    assertThat(Tunable.named(tunable.word())).isEqualTo(tunable);
  }

  private static String words(Tier tier) {
    return "f32.rows=%d,band=64".formatted(Tunable.F32_ROWS.choices(tier)[0]);
  }

  @ParameterizedTest
  @EnumSource
  void aTableIsReadAsItWasWritten(Tier tier) throws Exception {
    TilingTable table = table("a machine", tier);
    assertThat(TilingTable.parse(table.text(), tier)).isEqualTo(table);
    Tiling tiling = table.tiling(tier);
    assertThat(tiling.get(Tunable.F32_ROWS)).isEqualTo(Tunable.F32_ROWS.choices(tier)[0]);
    assertThat(tiling.get(Tunable.F16_ROWS)).isEqualTo(Tunable.F16_ROWS.preset(tier));
    assertThat(tiling.description()).isEqualTo("tuned 2026-11-16 (2 choices): " + words(tier));
    assertThat(Tiling.preset(tier).and(tiling.toString())).isEqualTo(tiling);
  }

  @Test
  void theTableOfThisMachineIsUsed() throws IOException {
    Tier tier = Tier.here();
    Path file = kept(table(TilingTable.machine(tier), tier));
    assertThat(TilingTable.file(cache, tier)).isEqualTo(file);
    assertThat(Tiling.of(null, tier, file).toString()).isEqualTo(words(tier));
    assertThat(Tiling.of("defaults", tier, file)).isEqualTo(Tiling.preset(tier));
  }

  @Test
  void withoutATableTheDefaultsRun() {
    assertThat(TilingTable.file(cache, Tier.here())).isNull();
    assertThat(Tiling.of(null, Tier.here(), null).description()).isEqualTo("defaults");
  }

  @Test
  void theTableOfAnotherMachineIsLeftAlone() throws IOException {
    Path file = kept(table("another machine", Tier.here()));
    assertThatThrownBy(() -> TilingTable.read(file, Tier.here()))
        .isInstanceOf(Unusable.class)
        .hasMessageContaining("another machine");
    Tiling tiling = Tiling.of(null, Tier.here(), file);
    assertThat(tiling.description()).isEqualTo("defaults");
    assertThat(tiling.complaint()).contains(file.toString()).contains("another machine");
    assertThat(Tiling.preset(Tier.here()).complaint()).isNull();
  }

  @Test
  void aDamagedTableIsNone() throws IOException {
    String text = table(TilingTable.machine(Tier.here()), Tier.here()).text();
    Path file = kept(table("x", Tier.here()));
    long seed = System.nanoTime();
    var random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      var damaged = new StringBuilder(text);
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> damaged.setLength(at);
        case 1 -> damaged.setCharAt(at, (char) (damaged.charAt(at) ^ 1 + random.nextInt(100)));
        default -> damaged.insert(at, (char) random.nextInt(200));
      }
      Files.writeString(file, damaged);
      assertThatThrownBy(() -> TilingTable.read(file, Tier.here()))
          .as("seed %d, turn %d", seed, i)
          .isInstanceOf(Unusable.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void choicesThatKernelsCouldNotKeepAreRefused(Tier tier) {
    for (String line : new String[] {"f32.rows 13", "f32.rows 0", "speed 12", "band 64 twice"}) {
      String text = table("m", tier).text().replaceFirst("f32.rows \\d+", line);
      String whole = text.substring(0, text.lastIndexOf("sum "));
      assertThatThrownBy(() -> TilingTable.parse(whole + TilingTable.sum(whole), tier))
          .as(line)
          .isInstanceOf(Unusable.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "f32.rows=13 | f32.rows is one of ",
        "f32.rows=13 | , not 13",
        "speed=12 | no tunable",
        "band=many | is not a number",
        "band | say defaults, or NAME=N",
        "band=64,f32.rows=6,band=64 | band is named twice",
      })
  void whatIsWrongWithAskedTilesIsOneLine(String asked, String said) {
    for (Tier tier : Tier.values()) {
      assertThatThrownBy(() -> Tiling.of(asked, tier, null))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("-Dridgeline.tiles=" + asked + ": ")
          .hasMessageContaining(said);
    }
  }
}
