package dev.ridgeline.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.SampleRun;
import dev.ridgeline.lab.compare.RunComparison.Side;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Run;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProofTest {
  private static Run run(String name, String revision, String... command) {
    Run run = SampleRun.of("embed", 100);
    return new Run(
        name,
        "",
        run.started(),
        Arrays.asList(command),
        List.of(),
        run.machine(),
        revision,
        Map.of("model", "tiny"),
        Map.of(),
        Map.of(),
        "",
        run.metrics(),
        List.of(),
        0,
        Ceilings.NONE);
  }

  private static String proof(Run base, Run current) {
    return Proof.of(
        RunComparison.of(new Side("a", base, null), new Side("b", current, null), Double.NaN));
  }

  @Test
  void optionsThatDifferBecomeSides() {
    Run one = run("embed", "abc", "ridgeline", "profile", "embed", "--workers", "1");
    Run two = run("embed", "abc", "ridgeline", "profile", "embed", "-m", "a b");
    Run bare = run("embed", "abc", "ridgeline", "profile", "embed", "--quiet");
    assertThat(proof(one, two))
        .isEqualTo("ridgeline ab --a '--workers 1' --b \"-m 'a b'\" -- embed");
    assertThat(proof(bare, one)).isEqualTo("ridgeline ab --b '--workers 1' -- embed");
    assertThat(proof(one, one)).isEqualTo("ridgeline ab -- embed --workers 1");
  }

  @Test
  void revisionsThatDifferAreBuiltAsFarAsTheyCanBe() {
    Run before = run("embed", "abc", "ridgeline", "profile", "embed");
    assertThat(proof(before, run("embed", "def", "ridgeline", "profile", "embed")))
        .isEqualTo("ridgeline ab --a-rev abc --b-rev def -- embed");
    Run changed = run("embed", "abc+changes", "ridgeline", "profile", "embed");
    assertThat(proof(before, changed)).isEqualTo("ridgeline ab --a-rev abc -- embed");
    assertThat(proof(changed, changed)).isEqualTo("ridgeline ab --a-rev HEAD -- embed");
    Run unknown = run("embed", "", "ridgeline", "profile", "embed");
    assertThat(proof(unknown, before)).isEqualTo("ridgeline ab -- embed");
  }

  @Test
  void aModeOfAWorkloadIsNoWorkload() {
    Run run = run("kernels-allocation", "abc", "ridgeline", "profile", "--allocation");
    assertThat(proof(run, run)).isEqualTo("ridgeline ab -- kernels --allocation");
  }

  @Test
  void programsAreStartedAgainWhereThatIsKnownOfBoth() {
    Run one = program("cd /work && java -cp one Main");
    Run two = program("cd /work && java -cp two Main 'a b'");
    assertThat(proof(one, two))
        .isEqualTo(
            "ridgeline ab --a-command 'cd /work && java -cp one Main'"
                + " --b-command \"cd /work && java -cp two Main 'a b'\"");
    assertThat(proof(one, one)).as("the older build is gone").isEqualTo("ridgeline ab --help");
    assertThat(proof(one, program(""))).isEqualTo("ridgeline ab --help");
    assertThat(proof(one, program("java " + "x".repeat(3_000)))).isEqualTo("ridgeline ab --help");
  }

  private static Run program(String start) {
    Run run = run("Main", "", "java", "Main");
    return new Run(
        "Main",
        "",
        run.started(),
        run.command(),
        List.of(),
        run.machine(),
        "",
        Map.of("program", "Main", "start", start),
        Map.of(),
        Map.of(),
        "",
        run.metrics(),
        List.of(),
        0,
        Ceilings.NONE);
  }
}
