package dev.ridgeline.lab.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.sweep.Study;
import dev.ridgeline.lab.sweep.StudyDocument;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.tensor.tune.Tunable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TilesStudyTest {
  @TempDir private Path record;

  private double noise = 0.01;

  private Study study(Function<Integer, Double> ratio) {
    var random = new Random(3);
    var tiles =
        new TilesStudy(
            block -> {
              Map<Integer, List<Double>> ratios = new LinkedHashMap<>();
              for (int value : block.values()) {
                List<Double> all = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                  all.add(ratio.apply(value) * Math.exp(noise * random.nextGaussian()));
                }
                ratios.put(value, all);
              }
              return new Block.Result(ratios, Map.of());
            },
            record,
            System::nanoTime);
    List<Decision> decisions =
        new Tuner(tiles::measure, Progress.SILENT, 1).tune(List.of(Tunable.BAND), List.of(), 1);
    return tiles.of("a test", Instant.EPOCH, List.of("ridgeline"), decisions, "", 1, 1);
  }

  @Test
  void everyValueIsShownWithItsInterval() throws IOException {
    Study study = study(value -> value == 64 ? 0.9 : 1.1);
    assertThat(study.answer().headline()).contains("band=64").contains("twice");
    String text = String.join("\n", ConsoleText.lines(StudyDocument.of(study)));
    assertThat(text)
        .containsPattern("64 +−\\d+\\.\\d % \\(.*faster for sure")
        .containsPattern("128 +the default")
        .containsPattern("256 +\\+\\d+\\.\\d % \\(")
        .contains("--keep would keep band=64")
        .contains("2 blocks")
        .doesNotContain("each trial a fresh process, in random order");
    assertThat(study.answer().charts().getFirst().series().getFirst().points()).hasSize(3);
    // What each process said is in the record.
    for (var trial : study.outcome().trials()) {
      String kept = Files.readString(record.resolve(trial.directory()));
      assertThat(Block.Result.parse(kept).ratios()).isNotEmpty();
    }
    assertThat(study.outcome().trials()).hasSize(3);
  }

  @Test
  void noRealDifferenceIsNoWinner() {
    Study study = study(_ -> 1.0);
    assertThat(study.answer().headline())
        .isEqualTo("a test: no other size is faster than the default by 2 %: ruled out");
    assertThat(String.join("\n", ConsoleText.lines(StudyDocument.of(study))))
        .containsPattern("64 +.* ruled out")
        .doesNotContain("for sure, twice", "again, in another process", "--budget");
  }

  @Test
  void whatWideIntervalsLeaveOpenIsNotRuledOut() {
    noise = 0.2;
    Study study = study(_ -> 1.0);
    assertThat(study.answer().headline())
        .isEqualTo("a test: not decided whether another size is faster by 2 %: band 64, 256");
    assertThat(String.join("\n", ConsoleText.lines(StudyDocument.of(study))))
        .containsPattern("Beware +not decided: --budget \\d+[sm] might do")
        .containsPattern("64 +.* not decided")
        .contains("not 2 % faster for sure: 64, 256 not decided");
  }

  @Test
  void aBlockHasOneFigureInTheTableAndUnderTrials() {
    noise = 0.2;
    Study study = study(_ -> 1.0);
    for (var trial : study.outcome().trials()) {
      String change = Quantity.change(trial.value(TilesStudy.RATIO) - 1);
      assertThat(study.answer().tables().getFirst().rows())
          .anyMatch(row -> row.cells().get(1).startsWith(change + " ("));
    }
  }
}
