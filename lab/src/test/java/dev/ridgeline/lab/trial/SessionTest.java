package dev.ridgeline.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.document.MarkdownText;
import dev.ridgeline.lab.verdict.Rule;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.run.Metric.Better;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions with a clock and trials that are made up. */
class SessionTest {
  private long now;
  private long others;
  private boolean busy;
  private final List<Arm> ran = new ArrayList<>();
  private final Random random = new Random(3);

  private Session session(double budget, double cost, double factor) {
    return session(budget, cost, factor, Session.Watcher.NONE, Integer.MAX_VALUE);
  }

  private Session session(
      double budget, double cost, double factor, Session.Watcher watcher, int stopAfter) {
    Session session =
        new Session(
            new Session.Question(0.02, budget, 5, null),
            runner(cost, factor, stopAfter),
            watcher,
            new Host(() -> now, this::load));
    session.run();
    return session;
  }

  /** A machine of one processor on which others are busy while {@link #busy} says so. */
  private MachineLoad load() {
    long ticks = now / 10_000_000;
    return new MachineLoad(ticks, others, 0, 0);
  }

  private Runner<Arm> runner(double cost, double factor, int stopAfter) {
    return (arm, number, seconds, most) -> {
      if (number > stopAfter) throw new Runner.Stopped();
      ran.add(arm);
      now += (long) ((cost + seconds) * 1e9);
      if (busy) others += (long) ((cost + seconds) * (number % 2 == 0 ? 50 : 30));
      double rate = 100 * (1 + 0.005 * random.nextGaussian()) * (arm.isB() ? factor : 1);
      double scope = 1000 / (arm.isB() ? factor : 1) * (1 + 0.005 * random.nextGaussian());
      return new Runner.Measured(
          new Reading(
              List.of(new Reading.Value("rate", "1/s", Better.HIGHER, rate)),
              Map.of("all › changed", scope, "all › same", 500 + random.nextDouble()),
              Map.of(Reading.CALLS, 3.0),
              "digest"),
          "");
    };
  }

  private static Experiment experiment(Session session, String noEffect) {
    var setting =
        new Experiment.Setting(Instant.EPOCH, List.of("ridgeline"), "embed", "", "", true);
    return Experiment.of(session, setting, noEffect);
  }

  @Test
  void aChangeIsFoundTwiceAndItsScopeNamed() throws IOException {
    Session session = session(120, 1, 0.9);
    assertThat(session.finding().verdict()).isEqualTo(Verdict.SLOWER);
    assertThat(session.firstBlock()).isPositive();
    assertThat(session.pairs()).isGreaterThan(session.firstBlock());
    assertThat(session.took()).isLessThan(120);
    Experiment experiment = experiment(session, "");
    assertThat(experiment.responsible().metric()).isEqualTo("all › changed");
    assertThat(experiment.regressed()).isTrue();
    assertThat(experiment.deciding().metric()).isEqualTo("rate");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ExperimentJson.write(experiment, out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("\"verdict\" : \"slower\"", "\"arm\" : \"A-again\"", "\"seed\" : 5");
  }

  @Test
  void whatIsReadBackIsDrawnTheSame(@TempDir Path folder) throws IOException {
    for (double factor : List.of(0.9, 1.0, 1.1)) {
      Experiment experiment = experiment(session(120, 1, factor), factor == 1 ? "never read" : "");
      Path file = folder.resolve(ExperimentJson.FILE);
      try (OutputStream out = Files.newOutputStream(file)) {
        ExperimentJson.write(experiment, out);
      }
      Experiment read = ExperimentJson.read(file);
      assertThat(lines(read)).isEqualTo(lines(experiment));
      assertThat(markdown(read)).isEqualTo(markdown(experiment));
      assertThat(page(read)).isEqualTo(page(experiment)).contains("<circle");
      assertThat(read.regressed()).isEqualTo(experiment.regressed());
    }
  }

  private static List<String> lines(Experiment experiment) {
    return ConsoleText.lines(ExperimentDocument.of(experiment));
  }

  private static List<String> markdown(Experiment experiment) {
    return MarkdownText.lines(ExperimentDocument.of(experiment));
  }

  private static String page(Experiment experiment) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlPage.write(ExperimentDocument.of(experiment), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aSecondBlockThatNeverBeganIsNone() {
    int first = session(120, 1, 0.9).firstBlock();
    Session session = session(120, 1, 0.9, Session.Watcher.NONE, 3 + 3 * first);
    assertThat(session.pairs()).isEqualTo(first);
    assertThat(session.firstBlock()).isEqualTo(-1);
  }

  @Test
  void equalSidesAreNoDifference() {
    Session session = session(120, 1, 1);
    assertThat(session.finding().verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
    assertThat(experiment(session, "").regressed()).isFalse();
  }

  @Test
  void aBudgetThatIsTooSmallIsInconclusiveAndKept() {
    Session session = session(8, 2, 0.5);
    assertThat(session.pairs()).isEqualTo(1);
    assertThat(session.finding().verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(experiment(session, "").secondsToDecide()).isPositive().isFinite();
  }

  /** The number of triplets is no promise of cold pilots. */
  @Test
  void aSessionWhosePilotsWereColdGoesOnWithTheTimeThatIsLeft() {
    Runner<Arm> warm = runner(0.3, 0.9, Integer.MAX_VALUE);
    Runner<Arm> cold =
        (arm, number, seconds, most) -> {
          if (number <= 2) now += 4_000_000_000L;
          return warm.run(arm, number, seconds, most);
        };
    Session session = session(30, cold);
    assertThat(session.finding().verdict()).isEqualTo(Verdict.SLOWER);
    Session equal = session(30, noisy(cold));
    assertThat(equal.finding().verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(equal.left()).isLessThan(equal.schedule().roundSeconds());
  }

  @Test
  void aLargeEffectIsProvenByAFewPairs() {
    Session session = session(20, 1.2, 1 / 1.5);
    assertThat(session.finding().verdict()).isEqualTo(Verdict.SLOWER);
    assertThat(session.pairs()).isLessThanOrEqualTo(5);
  }

  /** Whatever trials cost, also where they get slower all the time. */
  @Test
  void aSessionEndsInItsBudgetButForOneTrial() {
    for (double growth : new double[] {1, 1.05, 1.5, 3}) {
      for (double cost : new double[] {0.01, 0.7, 4, 9, 30}) {
        busy = !busy;
        double[] longest = {0};
        Runner<Arm> plain = runner(0, 1, Integer.MAX_VALUE);
        Runner<Arm> slower =
            (arm, number, seconds, most) -> {
              double more = Math.min(60, cost * Math.pow(growth, number - 1));
              longest[0] = Math.max(longest[0], more + seconds);
              now += (long) (more * 1e9);
              return plain.run(arm, number, seconds, most);
            };
        Session session = session(20, noisy(slower));
        assertThat(session.took()).as("%s, %s", growth, cost).isLessThan(20 + longest[0] + 1e-6);
        assertThat(session.finding().verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(experiment(session, "").secondsToDecide()).isPositive();
      }
    }
  }

  private Session session(double budget, Runner<Arm> runner) {
    Session session =
        new Session(
            new Session.Question(0.02, budget, 5, null),
            runner,
            Session.Watcher.NONE,
            new Host(() -> now, this::load));
    session.run();
    return session;
  }

  /** Numbers that scatter by so much that nothing can be said. */
  private Runner<Arm> noisy(Runner<Arm> runner) {
    return (arm, number, seconds, most) -> {
      Runner.Measured measured = runner.run(arm, number, seconds, most);
      Reading.Value value = measured.reading().metrics().getFirst();
      double rate = value.number() * Math.exp(random.nextGaussian());
      return new Runner.Measured(
          Reading.of(new Reading.Value(value.name(), value.unit(), value.better(), rate)), "");
    };
  }

  @Test
  void everyTripletHasEveryArmInAnyOrder() {
    Session session = session(120, 1, 0.98);
    Map<Integer, Set<Arm>> triplets = new HashMap<>();
    for (Trial<Arm> trial : session.trials()) {
      if (trial.counts()) {
        assertThat(triplets.computeIfAbsent(trial.round(), _ -> new HashSet<>()).add(trial.arm()))
            .isTrue();
      }
    }
    assertThat(triplets).hasSize(session.pairs());
    assertThat(triplets.values()).allMatch(arms -> arms.size() == 3);
    assertThat(session.trials().getFirst().round()).isZero();
    assertThat(session.trials().getFirst().counts()).isFalse();
  }

  @Test
  void whoStopsItGetsTheVerdictOverWhatIsThere() {
    Session session = session(120, 1, 1, Session.Watcher.NONE, 9);
    assertThat(session.stopped()).isTrue();
    assertThat(session.pairs()).isEqualTo(2);
    assertThat(session.finding().next()).isEqualTo(Rule.Next.STOP);
    assertThat(experiment(session, "").verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    Session early = session(120, 1, 1, Session.Watcher.NONE, 0);
    assertThat(early.trials()).isEmpty();
    assertThat(early.finding().verdict()).isEqualTo(Verdict.INCONCLUSIVE);
  }

  @Test
  void whereTheAnswerIsKnownAFewTripletsAreEnough() {
    Session.Watcher known =
        new Session.Watcher() {
          @Override
          public int enough(Session session) {
            return 6;
          }
        };
    Session session = session(600, 1, 1.01, known, Integer.MAX_VALUE);
    assertThat(session.pairs()).isEqualTo(6);
    assertThat(experiment(session, "never read").verdict()).isEqualTo(Verdict.NO_EFFECT);
  }

  @Test
  void whatIsDisturbedIsRepeatedWithinBoundsAndTheCalmerCounts() {
    busy = true;
    Session session = session(120, 1, 1);
    assertThat(session.schedule().repeated())
        .isPositive()
        .isLessThanOrEqualTo((int) Math.ceil(3 * session.plannedPairs() * 0.25));
    assertThat(session.disturbed()).isEqualTo(3 * session.pairs());
    for (Trial<Arm> trial : session.trials()) {
      if (trial.attempt() == 1) continue;
      Trial<Arm> first = session.trials().get(session.trials().indexOf(trial) - 1);
      assertThat(first.counts()).isNotEqualTo(trial.counts());
      boolean calmer = trial.disturbance().others() < first.disturbance().others();
      assertThat(trial.counts()).isEqualTo(calmer);
    }
  }

  @Test
  void ordersAreBalancedAndFollowTheirSeed() {
    Order<Arm> order = new Order<>(List.of(Arm.values()), 1);
    Map<List<Arm>, Integer> counts = new HashMap<>();
    List<List<Arm>> first = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      first.add(order.next());
      counts.merge(first.getLast(), 1, Integer::sum);
    }
    assertThat(counts).hasSize(6).allSatisfy((_, count) -> assertThat(count).isEqualTo(10));
    Order<Arm> again = new Order<>(List.of(Arm.values()), 1);
    for (List<Arm> each : first) assertThat(again.next()).isEqualTo(each);
    assertThat(new Order<>(List.of(Arm.values()), 2).next().size()).isEqualTo(3);
  }

  /** Every fifth trial of B fails, which costs its pair only; one that always fails, the rest. */
  @Test
  void aSideThatFailsNowAndThenIsToldWithTheVerdict() throws IOException {
    Runner<Arm> plain = runner(1, 0.8, Integer.MAX_VALUE);
    int[] trials = {0};
    Runner<Arm> failing =
        (arm, number, seconds, most) -> {
          Runner.Measured measured = plain.run(arm, number, seconds, most);
          if (!arm.isB() || ++trials[0] % 5 != 2) return measured;
          throw new Runner.Failed("B", new IllegalStateException("exit code 3"));
        };
    Session session = session(120, failing);
    assertThat(session.stopped()).isFalse();
    assertThat(session.finding().verdict()).isEqualTo(Verdict.SLOWER);
    Experiment experiment = experiment(session, "");
    String said = "B failed in %d of %d trials: exit code 3";
    String line = said.formatted((trials[0] + 3) / 5, trials[0]);
    assertThat(experiment.failures()).containsExactly(line);
    assertThat(lines(experiment).getFirst()).isEqualTo(line);
    assertThat(markdown(experiment)).contains("**" + line + "**");
    assertThat(page(experiment)).contains(line);
    assertThat(experiment.regressed()).isTrue();
    assertThat(session.trials().stream().filter(Trial::failed)).hasSize((trials[0] + 3) / 5);
  }

  @Test
  void aSideThatKeepsFailingEndsTheSession() {
    Runner<Arm> plain = runner(1, 1, Integer.MAX_VALUE);
    Runner<Arm> failing =
        (arm, number, seconds, most) -> {
          if (arm.isB() && number > 8) throw new Runner.Failed("B", new RuntimeException("no"));
          return plain.run(arm, number, seconds, most);
        };
    Session session = session(120, failing);
    assertThat(session.stopped()).isTrue();
    assertThat(session.failure()).isEqualTo("B: no");
    assertThat(session.pairs()).isPositive();
    assertThat(experiment(session, "").failures()).hasSize(1);
    Runner<Arm> never =
        (arm, number, seconds, most) -> {
          if (number > 2) throw new Runner.Failed("A", new RuntimeException("no"));
          return plain.run(arm, number, seconds, most);
        };
    assertThatThrownBy(() -> session(120, never)).hasMessageEndingWith("no");
  }

  @Test
  void forksOfTwoSpeedsAndADriftAreToldInNumbers() throws IOException {
    Runner<Arm> plain = runner(1, 1, Integer.MAX_VALUE);
    Runner<Arm> forks =
        (arm, number, seconds, most) ->
            scaled(plain.run(arm, number, seconds, most), arm.isB() && number % 3 == 0 ? 0.8 : 1);
    Experiment two = experiment(session(90, forks), "");
    assertThat(two.unsteadiness())
        .singleElement(STRING)
        .startsWith("B ran at two speeds: rate near ")
        .contains("(+2", " in 4 trials");
    assertThat(String.join("\n", lines(two))).contains("B ran at two speeds");
    assertThat(page(two)).contains("B ran at two speeds");
    // Noise in which nothing is decided before the end.
    Runner<Arm> steady =
        (arm, number, seconds, most) ->
            scaled(plain.run(arm, number, seconds, most), Math.exp(0.03 * random.nextGaussian()));
    long begin = now;
    Runner<Arm> drifting =
        (arm, number, seconds, most) ->
            scaled(steady.run(arm, number, seconds, most), Math.exp((begin - now) / 1e9 / 900));
    Experiment drift = experiment(session(90, drifting), "");
    assertThat(drift.unsteadiness())
        .singleElement(STRING)
        .startsWith("rate of both sides drifted by ");
    Experiment none = experiment(session(90, steady), "");
    assertThat(none.pairs()).isGreaterThan(12);
    assertThat(none.unsteadiness()).isEmpty();
  }

  private static Runner.Measured scaled(Runner.Measured measured, double factor) {
    Reading.Value value = measured.reading().metrics().getFirst();
    double rate = value.number() * factor;
    return new Runner.Measured(
        Reading.of(new Reading.Value(value.name(), value.unit(), value.better(), rate)), "");
  }

  @Test
  void aTrialThatFailsEndsTheSession() {
    Runner<Arm> failing =
        (_, _, _, _) -> {
          throw new IllegalStateException("broken");
        };
    var question = new Session.Question(0.02, 10, 1, null);
    Session session =
        new Session(question, failing, Session.Watcher.NONE, new Host(() -> now, this::load));
    assertThatThrownBy(session::run).hasMessage("broken");
  }
}
