package dev.ridgeline.lab.history;

import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What two runs have in common, and so what their difference can be blamed on.
 *
 * @param workload what differs in what was run, a line each
 * @param machine what differs in machine and JVM, a line each
 * @param plan what differs in what the options came to, a line each
 * @param sameRevision whether both come from the same sources, known and unchanged
 */
public record Likeness(
    List<String> workload, List<String> machine, List<String> plan, boolean sameRevision) {
  /** How something was measured changes neither what comes out nor what a unit of it takes. */
  private static final Set<String> MEASURING =
      Set.of("iterations", "rounds", "budget", "warm-up, at most", "level");

  public Likeness {
    workload = List.copyOf(workload);
    machine = List.copyOf(machine);
    plan = List.copyOf(plan);
  }

  /** Compares what is known of two runs. */
  public static Likeness of(Run base, Run current) {
    List<String> workload = new ArrayList<>();
    say(workload, "workload", Work.name(base), Work.name(current));
    workload.addAll(differences(Work.of(base), Work.of(current)));
    return new Likeness(
        workload,
        differences(facts(base.machine()), facts(current.machine())),
        differences(base.plan(), current.plan()),
        base.revision().equals(current.revision()) && isClean(base.revision()));
  }

  /** What comparable runs have in common, and no others: a key to sort many by. */
  public static Object kind(Run run) {
    return List.of(Work.name(run), Work.of(run), facts(run.machine()));
  }

  /** Whether the same work was done on the same machine and JVM. */
  public boolean isComparable() {
    return workload.isEmpty() && machine.isEmpty();
  }

  /** Whether the same was computed, however long it was measured, so that counts must agree. */
  public boolean isSameWork() {
    return workload.stream().allMatch(Likeness::saysHowItWasMeasured);
  }

  /** Where several models run together, each key follows the name of its model and a comma. */
  private static boolean saysHowItWasMeasured(String line) {
    String key = line.substring(0, line.indexOf(": "));
    return MEASURING.stream().anyMatch(each -> key.equals(each) || key.endsWith(", " + each));
  }

  /** Whether two runs differ in nothing that is known of them, so that what is left is drift. */
  public boolean isRepetition() {
    return isComparable() && plan.isEmpty() && sameRevision;
  }

  /** A checkout with changes of its own is a revision that nobody can name. */
  private static boolean isClean(String revision) {
    return !revision.isEmpty() && !revision.contains("+");
  }

  /** What must be equal for two machines to be alike, by what it is called. */
  private static Map<String, String> facts(Machine machine) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", machine.cpu());
    facts.put("cores", Integer.toString(machine.cores()));
    facts.put("container", machine.limits().toString());
    facts.put("JVM", machine.jvm().name());
    facts.put("Java", machine.jvm().version());
    facts.put("JIT", machine.jvm().jit());
    facts.put("GC", machine.jvm().gc());
    facts.put("JVM flags", String.join(" ", Ephemeral.flags(machine.jvm().flags())));
    return facts;
  }

  private static List<String> differences(Map<String, String> base, Map<String, String> current) {
    Set<String> keys = new LinkedHashSet<>(base.keySet());
    keys.addAll(current.keySet());
    keys.remove(Work.FILE);
    List<String> differences = new ArrayList<>();
    for (String key : keys) {
      say(differences, key, base.getOrDefault(key, "–"), current.getOrDefault(key, "–"));
    }
    return differences;
  }

  private static void say(List<String> differences, String what, Object base, Object current) {
    if (!base.equals(current)) differences.add("%s: %s → %s".formatted(what, base, current));
  }
}
