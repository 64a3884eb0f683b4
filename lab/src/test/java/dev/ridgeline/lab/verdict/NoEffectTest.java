package dev.ridgeline.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Run;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When options are said to have reached nothing. */
class NoEffectTest {
  private static final Machine MACHINE = machine(List.of("-Xmx1g"));

  private static final Run PLAIN =
      run(MACHINE, "r1", Map.of("workers", "2"), "d", option("2", false, true));

  @Test
  void anOptionThatNobodyReadHasNone() {
    Run dead = run(MACHINE, "r1", Map.of("workers", "2"), "d", option("7", true, false));
    Run plain = run(MACHINE, "r1", Map.of("workers", "2"), "d", option("2", false, false));
    assertThat(NoEffect.of(plain, dead)).hasValue("--workers was given and never read");
  }

  @Test
  void anOptionThatRepeatsTheDefaultHasNone() {
    Run repeated = run(MACHINE, "r1", Map.of("workers", "2"), "d", option("2", true, true));
    assertThat(NoEffect.of(PLAIN, repeated)).hasValue("--workers only repeats what is the default");
  }

  @Test
  void anOptionThatCameToTheSamePlanHasNone() {
    Run same = run(MACHINE, "r1", Map.of("workers", "2"), "d", option("0", true, true));
    assertThat(NoEffect.of(PLAIN, same)).hasValue("--workers led to the same plan");
  }

  @Test
  void anotherPlanOrAnotherOutputIsAnEffect() {
    Run plan = run(MACHINE, "r1", Map.of("workers", "1"), "d", option("1", true, true));
    Run output = run(MACHINE, "r1", Map.of("workers", "2"), "e", option("1", true, true));
    assertThat(NoEffect.of(PLAIN, plan)).isEmpty();
    assertThat(NoEffect.of(PLAIN, output)).isEmpty();
  }

  /** Pilots of the two sides choose how long to measure by themselves. */
  @Test
  void howLongItWasMeasuredIsNoEffect() {
    var option = option("0", true, true);
    for (String key : List.of("iterations", "rounds", "tiny model, rounds", "warm-up, at most")) {
      Run longer = work(run(MACHINE, "r1", Map.of("workers", "2"), "d", option), key, "2 s");
      assertThat(NoEffect.of(work(PLAIN, key, "0.2 s"), longer))
          .hasValue("--workers led to the same plan");
    }
    Run texts = work(run(MACHINE, "r1", Map.of("workers", "2"), "d", option), "prompts", "2");
    assertThat(NoEffect.of(work(PLAIN, "prompts", "1"), texts)).isEmpty();
  }

  @Test
  void whatNobodyTypedIsNoDifference() {
    Run other = run(MACHINE, "r1", Map.of("workers", "2"), "d", option("0", true, true));
    assertThat(NoEffect.ofOneProgram(PLAIN, other, Set.of("--workers"))).isEmpty();
    assertThat(NoEffect.ofOneProgram(PLAIN, other, Set.of("--for"))).isPresent();
  }

  private static Run work(Run run, String key, String value) {
    return new Run(
        run.name(),
        run.title(),
        run.started(),
        run.command(),
        run.options(),
        run.machine(),
        run.revision(),
        Map.of("texts", "2", key, value),
        run.plan(),
        Map.of(),
        run.outputDigest(),
        run.metrics(),
        List.of(),
        0,
        Ceilings.NONE);
  }

  @Test
  void itIsNeverSaidOfRevisionsOrFlags() {
    var option = option("2", true, true);
    Run revision = run(MACHINE, "r2", Map.of("workers", "2"), "d", option);
    Run flags = run(machine(List.of("-Xmx2g")), "r1", Map.of("workers", "2"), "d", option);
    assertThat(NoEffect.of(PLAIN, revision)).isEmpty();
    assertThat(NoEffect.of(PLAIN, flags)).isEmpty();
  }

  @Test
  void itIsNotSaidWhereNothingDiffers() {
    assertThat(NoEffect.of(PLAIN, PLAIN)).isEmpty();
  }

  private static Machine machine(List<String> flags) {
    return new Machine(
        "cpu",
        "",
        2,
        1 << 30,
        Machine.Limits.NONE,
        "Linux",
        new Machine.Jvm("vm", "25", "C2", "Serial", 1 << 20, flags));
  }

  private static Run.Option option(String value, boolean given, boolean read) {
    return new Run.Option("--workers", value, given, read);
  }

  private static Run run(
      Machine machine,
      String revision,
      Map<String, String> plan,
      String digest,
      Run.Option option) {
    return new Run(
        "embed",
        "",
        Instant.EPOCH,
        List.of(),
        List.of(option, new Run.Option("--runs", revision + digest, true, true)),
        machine,
        revision,
        Map.of("texts", "2"),
        plan,
        Map.of(),
        digest,
        List.of(),
        List.of(),
        0,
        Ceilings.NONE);
  }
}
