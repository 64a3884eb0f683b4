package dev.ridgeline.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AgreementTest {
  @Test
  void vectorsOfTheSameDirectionAgreeWhateverTheirLength() {
    Agreement agreement = vectors(new float[] {3, 4}, new float[] {6, 8}, true);
    assertThat(agreement.holds()).isTrue();
    assertThat(agreement.found()).isEqualTo("cosine mean 1.000000, worst 1.000000");
  }

  @Test
  void quantizedVectorsMayDifferMoreThanExactOnes() {
    float[] near = {1, 0.1f}; // a cosine of 0.995
    assertThat(vectors(new float[] {1, 0}, near, false).holds()).isTrue();
    assertThat(vectors(new float[] {1, 0}, near, true).holds()).isFalse();
  }

  @Test
  void aVectorThatIsNoNumbersAgreesWithNothing() {
    List<float[]> made = List.of(new float[] {Float.NaN, 1}, new float[] {1, 1});
    List<float[]> expected = List.of(new float[] {1, 1}, new float[] {1, 1});
    for (boolean exact : new boolean[] {false, true}) {
      assertThat(Agreement.ofVectors("a and b", made, expected, exact).holds()).isFalse();
    }
  }

  @Test
  void aChoiceThatTheOtherLikesAlmostAsMuchAgrees() {
    float[][] scores = {{0, 10, 9.8f}, {0, 10, 5}};
    Agreement agreement = Agreement.ofTokens("a and b", new int[] {2, 1}, scores);
    assertThat(agreement.holds()).isTrue();
    assertThat(agreement.found()).startsWith("1 of 2 tokens").contains("0.0200");
  }

  @Test
  void aChoiceThatTheOtherWouldNotMakeDoesNotAgree() {
    assertThat(chosen(2, new float[] {0, 10, 5}).holds()).isFalse();
    assertThat(chosen(2, new float[] {0, Float.NaN, 5}).holds()).isFalse();
  }

  /** A choice, and a second that nobody disputes. */
  private static Agreement chosen(int token, float[] scores) {
    return Agreement.ofTokens("a and b", new int[] {token, 0}, new float[][] {scores, {1, 0, 0}});
  }

  private static Agreement vectors(float[] a, float[] b, boolean exact) {
    return Agreement.ofVectors("a and b", List.of(a), List.of(b), exact);
  }
}
