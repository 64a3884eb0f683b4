package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.ab.Measuring;
import dev.ridgeline.cli.profile.ProfileCommand;
import dev.ridgeline.lab.process.Child;
import dev.ridgeline.lab.process.CommandTrial;
import dev.ridgeline.lab.process.Program;
import dev.ridgeline.lab.process.Work;
import dev.ridgeline.lab.process.WorkloadTrial;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** How a trial of an arm is started. */
sealed interface Start {
  /**
   * A workload of {@code ridgeline profile}, which leaves a run directory.
   *
   * @param words its name, then its options
   * @param jvm flags of its JVM beside those of this one
   * @param environment variables beside those of this process
   */
  record Workload(List<String> words, List<String> jvm, Map<String, String> environment)
      implements Start {
    public Workload {
      words = List.copyOf(words);
      jvm = List.copyOf(jvm);
      environment = Map.copyOf(environment);
    }

    Workload(List<String> words, List<String> jvm) {
      this(words, jvm, Map.of());
    }

    @Override
    public boolean choosesCollector() {
      return jvm.stream().anyMatch(Program::choosesCollector);
    }

    @Override
    public Work work(Child child, Program program, String metric) {
      String length = Measuring.length(ProfileCommand.kind(words.getFirst()), words);
      return new WorkloadTrial(child, program.with(jvm).in(environment), words, length, metric);
    }
  }

  /**
   * Any program.
   *
   * @param line as a shell reads it
   * @param metric finds the number in what it prints, or null for the time it takes
   * @param environment variables beside those of this process
   */
  record Shell(String line, Pattern metric, Better better, Map<String, String> environment)
      implements Start {
    public Shell {
      environment = Map.copyOf(environment);
    }

    @Override
    public Work work(Child child, Program program, String deciding) {
      List<String> command = new ArrayList<>(Program.before(environment));
      command.addAll(CommandTrial.shell(line));
      return new CommandTrial(child, line, command, null, metric, better, false);
    }
  }

  Map<String, String> environment();

  /** Whether its JVM has another collector than this one. */
  default boolean choosesCollector() {
    return false;
  }

  /**
   * What a process of the arm does.
   *
   * @param metric that decides, or null for any
   */
  Work work(Child child, Program program, String metric);
}
