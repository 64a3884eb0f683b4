package dev.ridgeline.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatienceTest {
  @Test
  void theFirstOfAnArmMayTakeTheBudgetAndALittle() {
    assertThat(new Patience(180).with("a", 1)).isEqualTo(190);
    assertThat(new Patience(3).with("a", 1)).isEqualTo(13);
    assertThat(new Patience(0.02).with("a", 1)).isEqualTo(2.02);
    assertThat(new Patience(0.01).with("a", 1)).isEqualTo(1.01);
  }

  @Test
  void thoseAfterItManyTimesWhatTheLongestTook() {
    Patience patience = new Patience(180);
    patience.took("a", 2);
    patience.took("a", 1);
    assertThat(patience.with("a", 3)).isEqualTo(10 + 10 * (2 + 3));
    assertThat(patience.with("b", 3)).isEqualTo(190);
  }
}
