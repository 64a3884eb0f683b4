package dev.ridgeline.model.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StopStringsTest {
  private final StopStrings stops = new StopStrings();

  /** What a listener would have heard, and where the text stops, −1 for nowhere. */
  private String heard(List<String> strings, String... pieces) {
    stops.begin(strings);
    StringBuilder text = new StringBuilder();
    StringBuilder heard = new StringBuilder();
    for (String piece : pieces) {
      int known = text.length();
      text.append(piece);
      int at = stops.find(text, known);
      if (at >= 0) text.setLength(at);
      int safe = at >= 0 ? at : stops.safe(text);
      assertThat(safe).isGreaterThanOrEqualTo(heard.length());
      heard.append(text, heard.length(), safe);
      if (at >= 0) return heard + "|";
    }
    return heard.toString();
  }

  @Test
  void aStringOverSeveralPiecesIsNeverHeard() {
    assertThat(heard(List.of("STOP"), "go S", "T", "O", "P on")).isEqualTo("go |");
    assertThat(heard(List.of("\n\n"), "a\n", "b\n", "\nc")).isEqualTo("a\nb|");
  }

  @Test
  void whatOnlyLookedLikeItIsHeardAfterAll() {
    assertThat(heard(List.of("STOP"), "S", "TO", "RY")).isEqualTo("STORY");
    assertThat(heard(List.of("aab"), "a", "a", "a", "c")).isEqualTo("aaac");
  }

  @Test
  void whatMayBecomeOneIsHeldBack() {
    assertThat(heard(List.of("STOP", "ND"), "a ST")).isEqualTo("a ");
    assertThat(heard(List.of("STOP", "ND"), "a N")).isEqualTo("a ");
    assertThat(heard(List.of("aab"), "xaa")).isEqualTo("x");
  }

  @Test
  void theFirstOfSeveralCounts() {
    assertThat(heard(List.of("bc", "ab"), "xabcx")).isEqualTo("x|");
    assertThat(heard(List.of(), "any", "thing")).isEqualTo("anything");
  }
}
