package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Samples.Call;
import dev.ridgeline.profiler.Samples.Cpu;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the profiler does inside of a program is not shown as the program's. */
class OwnWorkTest {
  private static final Scope SHORT = Scope.of("short");

  @Test
  void fromWhereItIsEnteredItIsOnePlace() {
    var main = at("acme.Main", "main");
    assertThat(
            OwnWork.fold(
                List.of(
                    main,
                    at("dev.ridgeline.agent.hook.Hooks", "begin"),
                    at("dev.ridgeline.agent.record.ProfilerSink", "begin"),
                    at("java.lang.String", "join"))))
        .containsExactly(main, OwnWork.RIDGELINE);
    assertThat(OwnWork.fold(List.of(main, at("dev.ridgeline.profiler.Frame", "close"))))
        .containsExactly(main, OwnWork.RIDGELINE);
  }

  @Test
  void aTaskThatItRunsIsTheProgramAgain() {
    for (Location runs :
        List.of(
            at("dev.ridgeline.agent.hook.Hooks", "run"),
            at("dev.ridgeline.agent.hook.Hooks", "runThread"),
            at("dev.ridgeline.profiler.Profiler", "lambda$task$0"))) {
      List<Location> stack = List.of(runs, at("acme.Task", "run"), at("java.lang.Math", "exp"));
      assertThat(OwnWork.fold(stack)).isEqualTo(stack);
    }
  }

  @Test
  void whoeverElseIsCalledRidgelineIsAProgram() {
    List<Location> stack = List.of(at("dev.ridgeline.model.Llama", "forward"));
    assertThat(OwnWork.fold(stack)).isSameAs(stack);
  }

  @Test
  void startingTheAgentAndWeavingAreNotTheProgram() {
    var main = at("acme.Main", "main");
    var woven = at("dev.ridgeline.agent.weave.Loom", "transform");
    assertThat(OwnWork.prepares(List.of(main, woven, at("java.util.HashMap", "get")))).isTrue();
    assertThat(OwnWork.prepares(List.of(at("dev.ridgeline.agent.Agent", "premain")))).isTrue();
    assertThat(OwnWork.prepares(List.of(main))).isFalse();
  }

  @Test
  void aPlaceIsSpelledOutOnce() {
    LiveNode root = new LiveNode(null, null, -1, null);
    LiveNode node = new LiveNode(new LiveNode(root, SHORT, 0, null), SHORT, 1, null);
    assertThat(node.pathText()).isEqualTo("short › short").isSameAs(node.pathText());
  }

  /**
   * A million calls that cost 100 ns each, planted in two seconds of a program: 5 % of the time.
   * The sampler has seen 16 %.
   */
  @Test
  void itHasNoMoreSamplesThanCallsTimesWhatOneCosts() {
    var main = at("acme.Main", "main");
    var step = at("acme.Main", "step");
    var calls = List.of(new Call(-1, 0), new Call(0, 1), new Call(1, 2), new Call(-1, 2));
    var rows =
        List.of(
            new Cpu(0, 0, 1, 414, 1_656_000_000),
            new Cpu(0, 0, 2, 40, 160_000_000),
            new Cpu(Samples.UNATTRIBUTED, -1, 2, 40, 160_000_000),
            // Of a thread of our own: nobody called.
            new Cpu(Samples.OUTSIDE, -1, 3, 6, 24_000_000));
    Profile seen = profile(samples(List.of(main, step, OwnWork.RIDGELINE), calls, rows));
    Profile profile = seen.calibrated(new Profile.Calibration(25, 60, 40, 0));
    assertThat(profile.samples().cpu())
        .containsExactlyInAnyOrder(
            new Cpu(0, 0, 2, 13, 50_000_000),
            new Cpu(0, 0, 1, 414 + 27, 1_656_000_000 + 110_000_000),
            new Cpu(Samples.UNATTRIBUTED, -1, 2, 13, 50_000_000),
            new Cpu(Samples.UNATTRIBUTED, -1, 1, 27, 110_000_000),
            new Cpu(Samples.OUTSIDE, -1, 3, 6, 24_000_000));
    assertThat(profile.calibrated(profile.calibration())).isEqualTo(profile);
    var dear = new Profile.Calibration(25, 300, 100, 0);
    assertThat(seen.calibrated(dear).samples()).isEqualTo(seen.samples());
  }

  private static Profile profile(Samples samples) {
    var time = new Profile.Time(1_000_000, 0, 2_000_000_000, 2_000_000_000, 1, 9, Histogram.EMPTY);
    var node =
        new Profile.Node(
            -1,
            "Main.step",
            Profile.Node.SCOPE,
            time,
            Profile.Allocation.NOT_RECORDED,
            Profile.Work.NONE,
            Profile.FanOut.NONE);
    return new Profile(
        Level.TIME,
        Instant.EPOCH,
        2_000_000_000,
        List.of(new Profile.Lane("main", false, 1, List.of(node), Trace.EMPTY)),
        List.of(),
        List.of(),
        Profile.Calibration.NONE,
        new SystemActivity(List.of(), List.of(), 0, 0, 0, 0, 0, 0, 0),
        List.of(),
        Profile.Slips.NONE,
        samples,
        List.of(),
        Profile.Waits.NONE);
  }

  private static Samples samples(List<Location> locations, List<Call> calls, List<Cpu> rows) {
    return new Samples(
        Samples.Source.CPU_TIME,
        Samples.Event.CPU,
        "JDK Flight Recorder",
        2_000_000,
        locations,
        calls,
        rows,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Samples.Quality.PERFECT);
  }

  private static Location at(String type, String method) {
    return new Location(type, method, 1, Kind.COMPILED);
  }
}
