package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.ab.Child;
import dev.ridgeline.cli.ab.CommandTrial;
import dev.ridgeline.cli.ab.Program;
import dev.ridgeline.cli.ab.WorkloadTrial;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.profile.ProfileCommand;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Trials;
import dev.ridgeline.lab.trial.Patience;
import dev.ridgeline.lab.trial.Runner.Failed;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs trials of arms: each leaves its folder in the record. */
final class ArmTrials implements Trials {
  private final Child child;
  private final Plan plan;
  private final Program program;
  private final long built;
  private final Path record;
  private final Patience patience;
  private final Map<String, Start> starts = new HashMap<>();

  ArmTrials(Child child, Plan plan, Path record, Patience patience) {
    this.child = child;
    this.plan = plan;
    this.record = record;
    this.patience = patience;
    for (Attempt attempt : plan.attempts()) starts.put(attempt.arm().name(), attempt.start());
    // The cache of classes belongs to one collector: no arm shall be favoured by it.
    boolean collectors =
        starts.values().stream()
            .anyMatch(
                start ->
                    start instanceof Start.Workload it
                        && it.jvm().stream().anyMatch(Program::choosesCollector));
    program = collectors ? Program.here().withoutCache() : Program.here();
    built = program.built();
  }

  @Override
  public Measured run(Arm arm, int number, double seconds) throws Stopped {
    String folder = "arms/" + arm.name();
    String directory = "%s/%03d".formatted(folder, number);
    double most = patience.with(arm.name(), seconds);
    long begin = System.nanoTime();
    try {
      Measured measured =
          switch (starts.get(arm.name())) {
            case Start.Shell it ->
                new Measured(
                    new CommandTrial(child, it.metric(), it.better())
                        .run(it.line(), command(it), null, most, record.resolve(directory)),
                    Map.of(),
                    directory);
            case Start.Workload it -> workload(it, seconds, most, folder, number, directory);
          };
      patience.took(arm.name(), (System.nanoTime() - begin) / 1e9);
      return measured;
    } catch (Problem e) {
      throw new Failed(arm.name(), e);
    }
  }

  private static List<String> command(Start.Shell it) {
    List<String> command = new ArrayList<>(Program.before(it.environment()));
    command.addAll(CommandTrial.shell(it.line()));
    return command;
  }

  private Measured workload(
      Start.Workload it, double seconds, double most, String folder, int number, String directory)
      throws Stopped {
    if (program.built() != built) {
      throw new Problem("ridgeline was rebuilt meanwhile: start again");
    }
    List<String> options = it.words().subList(1, it.words().size());
    var trial =
        new WorkloadTrial(
            child, ProfileCommand.kind(it.words().getFirst()), plan.metric(), options);
    double length = trial.saysLength(options) ? 0 : seconds;
    RunDirectory run =
        trial.run(
            program.with(it.jvm()).in(it.environment()),
            List.of(),
            length,
            most,
            record.resolve(folder),
            number);
    return new Measured(trial.reading(run), plan(run.run()), directory);
  }

  /** Two models may be run by the same code. */
  private static Map<String, String> plan(Run run) {
    Map<String, String> plan = new LinkedHashMap<>(run.plan());
    String file = run.workload().get("file");
    if (file != null) plan.put("file", file);
    return plan;
  }
}
