package dev.ridgeline.lab.process;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Why a trial of this program failed, in one line. */
final class Refusal {
  private static final String OURS = "ridgeline: ";

  /** What a JVM that does not start says around the reason for it. */
  private static final List<String> AROUND =
      List.of(
          "WARNING: ",
          "Picked up ",
          "Error occurred during initialization of ",
          "Error: Could not create the Java Virtual Machine.",
          "Error: A fatal exception has occurred.");

  private Refusal() {}

  static String of(Child.Ended ended) {
    List<String> said =
        ended
            .err()
            .lines()
            .map(line -> line.replaceFirst("^#", "").strip()) // before each line of a crash
            .filter(Refusal::tells)
            .toList();
    String why =
        first(said, line -> line.startsWith(OURS))
            .or(() -> first(said, line -> line.contains("UnsupportedClassVersionError")))
            .or(() -> first(said, _ -> true))
            .orElse("it does not say why");
    if (why.startsWith(OURS)) why = why.substring(OURS.length());
    if (why.contains("UnsupportedClassVersionError")) why = "its JVM is too old for ridgeline";
    // A JVM that does not start ends with 1, a trial whose question was bad with 2.
    return ended.code() == 1 || ended.code() == 2 ? why : why + " (exit code " + ended.code() + ")";
  }

  private static Optional<String> first(List<String> lines, Predicate<String> is) {
    return lines.stream().filter(is).findFirst();
  }

  private static boolean tells(String line) {
    return !line.isEmpty() && AROUND.stream().noneMatch(line::startsWith);
  }
}
