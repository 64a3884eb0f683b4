package dev.ridgeline.cli.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.workload.Pace.Length;
import dev.ridgeline.cli.workload.Pace.Speed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
  private static final Length USUAL = new Length(256, 5);
  private static final double NANOS = 1e9;

  private long now = 12_345;

  private void pass(double seconds) {
    now += (long) (seconds * NANOS);
  }

  private Pace usual() {
    return Pace.within(Pace.SECONDS, () -> now);
  }

  private static Speed each(double perUnit) {
    return new Speed(0, perUnit);
  }

  /** How long a warm-up lasts that never becomes steady. */
  private double warmUp(Pace pace, double most, Speed speed, Length all) {
    long begin = now;
    Pace.WarmUp time = pace.warmUp(most);
    while (time.mayGoOn(speed, all)) pass(0.01);
    return (now - begin) / NANOS;
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-4, 2e-3, 0.02, 0.1, 0.2, 0.5, 1})
  void itEndsInTimeHoweverSlowTheMachineIs(double perUnit) {
    for (double ceilings : new double[] {0, 8}) {
      for (double perPass : new double[] {0, perUnit, 4 * perUnit}) {
        Speed speed = new Speed(perPass, perUnit);
        long begin = now;
        Pace pace = usual();
        pass(ceilings);
        Pace.WarmUp time = pace.warmUp(15);
        int units = pace.first(64);
        do {
          double pass = speed.seconds(units, 1);
          pass(pass);
          units = pace.next(units, pass, 64);
        } while (time.mayGoOn(speed, USUAL));
        Length length = pace.length(speed, USUAL);
        double pass = speed.seconds(length.units(), 1);
        for (int i = 0; i < length.passes() && (i == 0 || pace.timeFor(pass)); i++) pass(pass);
        pass(2 * perUnit * pace.count(2 * perUnit, 200));
        assertThat((now - begin) / NANOS)
            .as("%s, ceilings %s s", speed, ceilings)
            .isLessThanOrEqualTo(Pace.SECONDS - Pace.REST + perPass + 2 * perUnit);
      }
    }
  }

  @Test
  void aFastMachineMeasuresAllOfIt() {
    Pace pace = usual();
    assertThat(pace.length(each(0.0025), USUAL)).isEqualTo(USUAL);
    assertThat(pace.count(0.004, 200)).isEqualTo(200);
  }

  @Test
  void whatMeasuringDoesNotNeedIsThereToWarmUp() {
    Pace pace = usual();
    pass(9); // ceilings, on a machine that has never measured them
    long then = now;
    double withAll = warmUp(pace, 15, each(0.0025), USUAL);
    assertThat(withAll).as("3.2 s are half of what must be left").isBetween(9.5, 9.7);
    assertThat(pace.length(each(0.0025), USUAL)).isEqualTo(USUAL);
    now = then;
    assertThat(warmUp(pace, 7, each(0.0025), USUAL)).as("asked").isBetween(7.0, 7.1);
    now = then;
    assertThat(warmUp(pace, 15, each(0.1), USUAL)).as("its part").isBetween(6.4, 6.5);
  }

  @Test
  void passesGoFirstThenUnitsByHalves() {
    Pace pace = usual(); // room for 17.5 s
    assertThat(pace.length(each(0.014), USUAL)).isEqualTo(new Length(256, 4));
    assertThat(pace.length(each(0.03), USUAL)).isEqualTo(new Length(128, 3));
    assertThat(pace.length(each(0.035), USUAL))
        .as("the same work as a little faster")
        .isEqualTo(new Length(128, 3));
    assertThat(pace.length(new Speed(2, 0.03), USUAL))
        .as("what comes before the first is paid by each pass")
        .isEqualTo(new Length(64, 3));
    assertThat(pace.length(each(1), new Length(100, 5))).isEqualTo(new Length(4, 3));
    pass(100);
    assertThat(pace.length(each(1), USUAL)).as("something is measured").isEqualTo(new Length(4, 1));
    assertThat(pace.count(1, 200)).isEqualTo(1);
  }

  @Test
  void shortPassesOfAWarmUpGrow() {
    Pace pace = usual();
    assertThat(pace.first(64)).isEqualTo(1);
    assertThat(pace.next(4, 0.01, 64)).isEqualTo(8);
    assertThat(pace.next(48, 0.01, 64)).isEqualTo(64);
    assertThat(pace.next(8, 0.5, 64)).isEqualTo(8);
  }

  @Test
  void whoAsksForAnAmountGetsIt() {
    Pace pace = Pace.unbounded(() -> now);
    assertThat(warmUp(pace, 15, each(1), USUAL)).isBetween(15.0, 15.1);
    pass(10_000);
    assertThat(pace.first(64)).isEqualTo(64);
    assertThat(pace.length(new Speed(5, 1), USUAL)).isEqualTo(USUAL);
    assertThat(pace.timeFor(1_000)).isTrue();
    assertThat(pace.count(7, 200)).isEqualTo(200);
    assertThat(pace.shortened(new Length(4, 1), USUAL, "text", "--texts")).isNull();
  }

  @Test
  void aRunThatDidLessSaysWhatTakesTheTime() {
    assertThat(usual().shortened(USUAL, USUAL, "text", "--texts")).isNull();
    assertThat(usual().shortened(new Length(128, 3), USUAL, "text", "--texts"))
        .isEqualTo(
            "measured 3 of 5 passes over the first 128 of 256 texts, to end within 30 s; to measure"
                + " all: --texts 256 --iterations 5");
  }
}
