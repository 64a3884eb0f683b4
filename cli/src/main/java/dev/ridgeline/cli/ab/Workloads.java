package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Patience;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.verdict.NoEffect;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Trials of a workload: each leaves a run directory in the record. */
final class Workloads implements Runner {
  private final WorkloadTrial trial;
  private final Side a;
  private final Side b;
  private final Program programA;
  private final Program programB;
  private final long builtA;
  private final long builtB;
  private final Path arms;
  private final Patience patience;
  private final boolean saysLength;

  /** The first run of each side. */
  private final Map<Arm, Run> first = new EnumMap<>(Arm.class);

  Workloads(
      WorkloadTrial trial,
      Side a,
      Side b,
      Program programA,
      Program programB,
      Patience patience,
      Path record) {
    this.patience = patience;
    this.trial = trial;
    this.a = a;
    this.b = b;
    this.programA = programA;
    this.programB = programB;
    this.builtA = programA.built();
    this.builtB = programB.built();
    this.arms = record.resolve("arms");
    this.saysLength =
        Stream.of(trial.words(), a.options(), b.options()).anyMatch(trial::saysLength);
  }

  @Override
  public Measured run(Arm arm, int number, double seconds) throws Stopped {
    Program program = arm.isB() ? programB : programA;
    if (program.built() != (arm.isB() ? builtB : builtA)) {
      throw new Problem("ridgeline was rebuilt while it was compared: start again");
    }
    String side = arm.isB() ? "B" : "A";
    double most = patience.with(side, seconds);
    long begin = System.nanoTime();
    RunDirectory run;
    try {
      run =
          trial.run(
              program,
              (arm.isB() ? b : a).options(),
              saysLength ? 0 : seconds,
              most,
              arms.resolve(arm.word()),
              number);
    } catch (Problem e) {
      throw new Failed(side, e);
    }
    patience.took(side, (System.nanoTime() - begin) / 1e9);
    first.computeIfAbsent(arm, _ -> run.run());
    return new Measured(
        trial.reading(run), "arms/%s/%s".formatted(arm.word(), run.path().getFileName()));
  }

  /** Whether work is counted, so that times of scopes are told for a unit of it. */
  boolean perUnit() {
    Run run = first.get(Arm.A);
    return run != null && run.units() > 0;
  }

  /** Why the options had no effect, or empty. */
  String noEffect() {
    Run one = first.get(Arm.A);
    Run other = first.get(Arm.B);
    if (one == null || other == null || !a.sameProgram() || !b.sameProgram()) return "";
    Set<String> own = saysLength ? Set.of() : Set.of(trial.kind().length());
    return NoEffect.ofOneProgram(one, other, own).orElse("");
  }
}
