package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.SampleTable.Owner;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counting within bounds, names of classes, and the clock. */
class SampleTableTest {
  private static final Location MAIN = new Location("app.Main", "main", 3, Kind.INTERPRETED);
  private static final Location EXP = new Location("java.lang.Math", "exp", 0, Kind.COMPILED);
  private static final Profile.Lane LANE =
      new Profile.Lane(
          "main",
          false,
          1,
          List.of(
              new Profile.Node(
                  -1,
                  "a",
                  Profile.Node.SCOPE,
                  new Profile.Time(1, 0, 1, 1, 1, 1, Histogram.of(0, 1)),
                  Profile.Allocation.NOT_RECORDED,
                  Profile.Work.NONE,
                  Profile.FanOut.NONE)),
          Trace.EMPTY);

  private final SampleTable table = new SampleTable();

  @Test
  void equalSamplesAreOneRow() {
    for (int i = 0; i < 3; i++)
      table.cpu(new Owner(0, 0), table.stack(List.of(MAIN, EXP)), "main", 4);
    table.cpu(Owner.OUTSIDE, table.stack(List.of(MAIN)), "main", 4);
    Samples samples = samples();
    assertThat(samples.cpu())
        .containsExactly(
            new Samples.Cpu(0, 0, 1, 3, 12), new Samples.Cpu(Samples.OUTSIDE, -1, 0, 1, 4));
    assertThat(samples.stack(1)).containsExactly(EXP, MAIN);
    assertThat(samples.calls()).hasSize(2);
  }

  @Test
  void aScopeNewerThanTheCopyOfItsLaneIsUnattributed() {
    table.cpu(new Owner(0, 1), Samples.NO_STACK, "main", 1);
    table.cpu(new Owner(1, 0), Samples.NO_STACK, "main", 2);
    assertThat(samples().cpu())
        .containsExactly(new Samples.Cpu(Samples.UNATTRIBUTED, -1, Samples.NO_STACK, 2, 3));
  }

  @Test
  void whatHasNoRoomLosesItsStackAndIsCounted() {
    int all = 200_000;
    for (int i = 0; i < all; i++) {
      Location location = new Location("T", "m" + i, i, Kind.COMPILED);
      table.cpu(new Owner(0, 0), table.stack(List.of(MAIN, location)), "main", 1);
    }
    Samples samples = samples();
    assertThat(samples.cpu().stream().mapToLong(Samples.Cpu::samples).sum()).isEqualTo(all);
    assertThat(samples.quality().cutOff()).isBetween(1L, all - 1L);
    assertThat(samples.cpu())
        .contains(
            new Samples.Cpu(
                0, 0, Samples.NO_STACK, samples.quality().cutOff(), samples.quality().cutOff()));
    assertThat(samples.locations()).hasSizeLessThan(40_000);
  }

  @Test
  void classesAreNamedAsInSourceCode() {
    assertThat(SampleJoin.typeName("java.lang.String")).isEqualTo("java.lang.String");
    assertThat(SampleJoin.typeName("[B")).isEqualTo("byte[]");
    assertThat(SampleJoin.typeName("[[Ljava.lang.String;")).isEqualTo("java.lang.String[][]");
    assertThat(SampleJoin.typeName("app.Main$$Lambda/0x00007f3a")).isEqualTo("app.Main$$Lambda");
    assertThat(SampleJoin.typeName("java.lang.invoke.LambdaForm$DMH.0x00000000"))
        .isEqualTo("java.lang.invoke.LambdaForm$DMH");
  }

  @Test
  void theNarrowestBracketSetsTheClockAndDriftIsInItsError() {
    SampleClock clock = new SampleClock();
    assertThat(clock.known()).isFalse();
    clock.add(at(1_000_100), 0, 4000);
    clock.add(at(1_005_050), 5000, 5100);
    clock.add(at(1_007_900), 6000, 9000);
    assertThat(clock.nanoTime(at(1_005_050))).isEqualTo(5050);
    assertThat(clock.errorNanos()).isEqualTo(50);
    clock.add(at(1_501_000_670), 1_500_000_600, 1_500_000_700);
    assertThat(clock.nanoTime(at(1_501_000_670))).isEqualTo(1_500_000_650);
    assertThat(clock.errorNanos()).isEqualTo(50 + 20);
  }

  private static Instant at(long nanos) {
    return Instant.ofEpochSecond(1_700_000_000, nanos);
  }

  private Samples samples() {
    return table.samples(Sampling.NONE.withCpu(), "", List.of(LANE), Samples.Quality.PERFECT);
  }
}
