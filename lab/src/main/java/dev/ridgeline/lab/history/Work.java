package dev.ridgeline.lab.history;

import dev.ridgeline.report.run.Run;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a run did, as far as another run could do the same. */
public final class Work {
  /** What a run was called, where it was kept: no part of the work. */
  static final String FILE = "file";

  /** What the agent calls the main class or the jar of a user's own program. */
  private static final String PROGRAM = "program";

  /** What starts such a program again, here and now. */
  private static final String START = "start";

  private Work() {}

  /** Whether it is a user's own program, recorded by the agent. */
  public static boolean isProgram(Run run) {
    return run.workload().containsKey(PROGRAM);
  }

  /**
   * Whether such a program was recorded from its start to its end, so that its totals are those of
   * all of its work.
   */
  public static boolean isWholeProgram(Run run) {
    return isProgram(run)
        && !run.workload().containsKey("ended")
        && run.options().stream().noneMatch(option -> option.name().equals("duration"));
  }

  /** What a shell can type to start a user's own program again, or empty. */
  public static String start(Run run) {
    return isWholeProgram(run) ? run.workload().getOrDefault(START, "") : "";
  }

  /** What the work is called: programs may be given any name, so theirs says nothing. */
  public static String name(Run run) {
    return isProgram(run) ? PROGRAM : run.name();
  }

  /** What must be equal for two runs to be the same work, by what it is called. */
  static Map<String, String> of(Run run) {
    Map<String, String> work = new LinkedHashMap<>(run.workload());
    work.remove(FILE);
    work.remove(START);
    if (isProgram(run)) {
      String arguments = String.join(" ", Ephemeral.words(arguments(run)));
      if (!arguments.isEmpty()) work.put("arguments", arguments);
      work.computeIfPresent(PROGRAM, (_, main) -> Ephemeral.program(main));
    }
    return work;
  }

  /** What follows the main class or the jar, whose path may have spaces. */
  private static List<String> arguments(Run run) {
    String command = " " + String.join(" ", run.command()) + " ";
    String main = " " + run.workload().get(PROGRAM) + " ";
    int at = command.indexOf(main);
    String rest = at < 0 ? "" : command.substring(at + main.length()).strip();
    return rest.isEmpty() ? List.of() : List.of(rest.split(" +"));
  }
}
