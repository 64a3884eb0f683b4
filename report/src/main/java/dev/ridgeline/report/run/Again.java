package dev.ridgeline.report.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Commands about a run that can be typed as they stand. */
public final class Again {
  /** What is said of the profile and not of the work, without a value. */
  private static final Set<String> FLAGS = Set.of("--quiet", "--json", "--verbose", "--resume");

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
          "--out",
          "--ceilings");

  private static final Pattern KERNELS = Pattern.compile("-Dridgeline\\.(tier|kernels)=.*");

  private Again() {}

  /**
   * The command that compares this run's sources with those as they are then; empty for programs
   * and sources that cannot be built again.
   */
  public static String proof(Run run) {
    List<String> work = work(run);
    if (work.isEmpty() || run.revision().isEmpty()) return "";
    return "ridgeline ab --a-rev %s%s -- %s".formatted(revision(run), jvm(run), line(work));
  }

  /**
   * The command that compares the work of a run with the same under another value of an option;
   * empty for programs that are not ours.
   *
   * @param names what the option is called, the name to be used first
   */
  public static String against(Run run, List<String> names, String value) {
    List<String> work = new ArrayList<>(work(run));
    if (work.isEmpty()) return "";
    String before = "";
    for (int i = 1; i < work.size(); i++) {
      String word = work.get(i);
      if (!names.contains(word.replaceFirst("(?s)=.*", ""))) continue;
      boolean apart = !word.contains("=") && i + 1 < work.size();
      before = apart ? work.get(i + 1) : word.replaceFirst("(?s)[^=]*=?", "");
      work.subList(i, i + (apart ? 2 : 1)).clear();
      break;
    }
    String name = names.getFirst();
    String was = before.isEmpty() ? "" : " --a " + quoted(line(List.of(name, before)));
    String other = quoted(line(List.of(name, value)));
    return "ridgeline ab%s%s --b %s -- %s".formatted(jvm(run), was, other, line(work));
  }

  /**
   * Flags that choose kernels: without them, both sides would run other ones than were measured.
   */
  private static String jvm(Run run) {
    String flags =
        run.machine().jvm().flags().stream()
            .filter(flag -> KERNELS.matcher(flag).matches())
            .collect(Collectors.joining(" "));
    return flags.isEmpty() ? "" : " --a-jvm %1$s --b-jvm %1$s".formatted(quoted(flags));
  }

  /** The commit that a run's sources are, or were before they were changed. */
  public static String revision(Run run) {
    return run.revision().contains("+") ? "HEAD" : run.revision();
  }

  /**
   * {@code embed --texts 64}: the work with its own options, as a workload of {@code ridgeline ab};
   * empty for a program that is not ours.
   */
  public static List<String> work(Run run) {
    if (run.command().isEmpty() || !run.command().getFirst().equals("ridgeline")) return List.of();
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
    boolean unnamed = words.isEmpty() || words.getFirst().startsWith("-");
    // A workload in another mode has a name of its own: kernels-allocation.
    if (unnamed) words.addFirst(run.name().replaceFirst("-.*", ""));
    return words;
  }

  /** A run as commands are told of it: with its folder, where they would look in another. */
  public static String named(RunDirectory run) {
    Path here = Path.of("");
    Path usual = Runs.of(here, null, System.getenv("RIDGELINE_RUNS")).folder();
    Path folder = run.path().getParent();
    if (folder == null || folder.toAbsolutePath().equals(usual.toAbsolutePath())) {
      return quoted(run.name());
    }
    return quoted(run.name()) + " --runs " + quoted(folder.toString());
  }

  /** Words as a shell reads them. */
  public static String line(List<String> words) {
    return words.stream().map(Again::quoted).collect(Collectors.joining(" "));
  }

  /** A word as a shell reads it. */
  public static String quoted(String word) {
    if (word.matches("[\\w@%+=:,./~-]+") && !word.startsWith("~")) return word;
    if (!word.contains("'")) return "'" + word + "'";
    // Plainer than quotes between quotes, where nothing else would be read otherwise.
    return word.matches("[^\"$`\\\\!]*")
        ? '"' + word + '"'
        : "'" + word.replace("'", "'\\''") + "'";
  }
}
