package dev.ridgeline.lab.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.document.ConsoleText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SamePlansTest {
  private static String text(Map<String, String> one, Map<String, String> other) {
    Outcome outcome =
        new Outcome(
            List.of(Arm.of("strategy", "fine"), Arm.of("strategy", "coarse")),
            "fine",
            List.of(),
            Map.of("fine", one, "coarse", other));
    Study study =
        new Study(
            new Study.Setting("strategies", "which", Instant.EPOCH, List.of(), "", 0.02, 1, 1),
            1,
            8,
            0,
            false,
            outcome,
            null,
            new Answer("nothing", List.of(), List.of(), List.of(), List.of()));
    return String.join("\n", ConsoleText.lines(StudyDocument.of(study)));
  }

  @Test
  void armsThatRanTheSameCodeAreCalledOut() {
    Map<String, String> plan = Map.of("strategy", "fine", "workers", "2");
    assertThat(text(plan, plan)).containsPattern("Beware +the same code ran in .*: same plan");
  }

  @Test
  void armsWithPlansOfTheirOwnAreNot() {
    assertThat(text(Map.of("strategy", "fine"), Map.of("strategy", "coarse")))
        .doesNotContain("Beware");
  }
}
