package dev.ridgeline.lab.verdict;

import dev.ridgeline.lab.history.Likeness;
import dev.ridgeline.report.run.Run;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether two runs differ in options that reached nothing: the same code ran on both sides,
 * whatever the times say.
 */
public final class NoEffect {
  /** Where a run is kept changes nothing about it. */
  private static final Set<String> BESIDE =
      Set.of("--runs", "--name", "--quiet", "--json", "--ceilings");

  private NoEffect() {}

  /**
   * Why the options that differ had no effect; nothing where they may have had one, where none
   * differ, or where the program, its JVM's flags or the work are not the same. How long the work
   * was measured is no part of it: that may be chosen for each run.
   */
  public static Optional<String> of(Run a, Run b) {
    return a.revision().equals(b.revision()) ? ofOneProgram(a, b, Set.of()) : Optional.empty();
  }

  /**
   * The same of runs of which the caller knows that the same jars ran: revisions are those of a
   * checkout, in which somebody may work meanwhile.
   *
   * @param own options that nobody typed, but the caller chose for each run
   */
  public static Optional<String> ofOneProgram(Run a, Run b, Set<String> own) {
    boolean same = a.name().equals(b.name()) && a.machine().jvm().equals(b.machine().jvm());
    if (!same) return Optional.empty();
    Map<String, Run.Option> left = byName(a);
    Map<String, Run.Option> right = byName(b);
    Set<String> names = new LinkedHashSet<>(left.keySet());
    names.addAll(right.keySet());
    names.removeAll(own);
    List<String> differ =
        names.stream().filter(name -> differs(left.get(name), right.get(name))).toList();
    if (differ.isEmpty()) return Optional.empty();
    String words = String.join(", ", differ);
    boolean unread =
        differ.stream().allMatch(name -> unread(left.get(name)) && unread(right.get(name)));
    if (unread) return Optional.of(words + " was given and never read");
    boolean samePlan =
        a.plan().equals(b.plan())
            && Likeness.of(a, b).isSameWork()
            && level(a).equals(level(b))
            && a.outputDigest().equals(b.outputDigest());
    if (!samePlan) return Optional.empty();
    boolean repeats = differ.stream().allMatch(name -> sameValue(left.get(name), right.get(name)));
    return Optional.of(
        words + (repeats ? " only repeats what is the default" : " led to the same plan"));
  }

  /** What is recorded costs time within the work itself. */
  private static String level(Run run) {
    return run.workload().getOrDefault("level", "");
  }

  private static Map<String, Run.Option> byName(Run run) {
    Map<String, Run.Option> options = new LinkedHashMap<>();
    for (Run.Option option : run.options()) {
      if (!BESIDE.contains(option.name())) options.put(option.name(), option);
    }
    return options;
  }

  private static boolean differs(Run.Option a, Run.Option b) {
    return a == null || b == null || a.given() != b.given() || !a.value().equals(b.value());
  }

  private static boolean sameValue(Run.Option a, Run.Option b) {
    return a != null && b != null && a.value().equals(b.value());
  }

  /** One that was not given cannot have been read in vain. */
  private static boolean unread(Run.Option option) {
    return option == null || !option.read();
  }
}
