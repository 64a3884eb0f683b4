package dev.ridgeline.report.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** How a run's work is typed again behind {@code ridgeline ab … --}. */
public final class Again {
  /** What is said of the profile and not of the work, without a value. */
  private static final Set<String> FLAGS = Set.of("--quiet", "--json", "--verbose");

  /** The same with a value. */
  private static final Set<String> VALUES =
      Set.of(
          "--level",
          "--formats",
          "--runs",
          "--name",
          "--top",
          "--sample",
          "--sampler",
          "--event",
          "--trace-limit",
          "--ceilings");

  private Again() {}

  /** {@code embed --texts 64}: the work with its own options, quoted for a shell. */
  public static String of(Run run) {
    List<String> words = new ArrayList<>();
    List<String> typed = run.command();
    for (int i = 1; i < typed.size(); i++) {
      String word = typed.get(i);
      String option = word.replaceFirst("(?s)=.*", "");
      if (FLAGS.contains(word) || word.startsWith("--profile")) continue;
      if (VALUES.contains(option)) {
        if (!word.contains("=")) i++;
      } else {
        words.add(word);
      }
    }
    if (!words.isEmpty() && words.getFirst().equals("profile")) words.removeFirst();
    if (words.isEmpty() || words.getFirst().startsWith("-")) words.addFirst(run.name());
    return shell(words);
  }

  /** Words as a shell reads them. */
  public static String shell(List<String> words) {
    return words.stream().map(Again::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
