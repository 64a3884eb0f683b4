package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
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
  void aPlaceIsSpelledOutOnce() {
    LiveNode root = new LiveNode(null, null, -1, null);
    LiveNode node = new LiveNode(new LiveNode(root, SHORT, 0, null), SHORT, 1, null);
    assertThat(node.pathText()).isEqualTo("short › short").isSameAs(node.pathText());
  }

  private static Location at(String type, String method) {
    return new Location(type, method, 1, Kind.COMPILED);
  }
}
