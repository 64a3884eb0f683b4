package dev.ridgeline.cli.experiment;

import dev.ridgeline.report.run.Metric.Better;
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

    static Workload of(String... words) {
      return new Workload(List.of(words), List.of());
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

    Shell(String line, Pattern metric, Better better) {
      this(line, metric, better, Map.of());
    }
  }

  Map<String, String> environment();
}
