package dev.ridgeline.agent.record;

import dev.ridgeline.agent.scope.NearMisses;
import dev.ridgeline.agent.scope.ScopeNames;
import dev.ridgeline.agent.scope.ScopeRules;
import dev.ridgeline.agent.scope.ScopeTable;
import dev.ridgeline.agent.weave.Loom;
import dev.ridgeline.profiler.Profile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What to say about a recording apart from its figures.
 *
 * @param methods methods that were made scopes
 * @param lines a sentence each
 */
record Notes(int methods, List<String> lines) {

  /**
   * Looks at everything.
   *
   * @param commandLine whether {@code ridgeline profile} asks, whose options are written otherwise
   */
  static Notes of(
      Program program, boolean commandLine, Loom loom, FineScopes fine, Profile profile) {
    ScopeRules rules = loom.rules();
    ScopeTable table = fine.table();
    List<String> lines = new ArrayList<>();
    int methods = loom.scopes();
    boolean nothing =
        profile.lanes().stream().allMatch(lane -> lane.nodes().isEmpty())
            && profile.samples().cpu().isEmpty();
    if (rules.none() && nothing) lines.add(nothingToMeet(program, commandLine));
    if (!rules.unmatched().isEmpty()) {
      lines.addAll(unmatched(rules, loom.loaded()));
    }
    Map<String, String> names = ScopeNames.of(table.methods(), fine.switchedOff());
    fine.switchedOff(profile)
        .forEach(
            (scope, use) -> {
              String name = names.getOrDefault(scope, scope);
              lines.add(
                  ("scope %s is called too often and was switched off after %s; later ones are part"
                          + " of its callers; exclude it with '!%s'")
                      .formatted(name, use, name));
            });
    failures(loom.failures(), lines);
    if (table.full()) {
      lines.add(
          "more than %,d methods match; those that came later are no scopes"
              .formatted(ScopeTable.LIMIT));
    }
    return new Notes(methods, List.copyOf(lines));
  }

  Notes with(List<String> more) {
    List<String> all = new ArrayList<>(lines);
    all.addAll(more);
    return new Notes(methods, List.copyOf(all));
  }

  private static String nothingToMeet(Program program, boolean commandLine) {
    String own = program.mainPackage();
    return "nothing was recorded: no pattern was given, no method that ran has @Profiled, and no"
        + " code was sampled"
        + (own.isEmpty()
            ? ""
            : "; try " + (commandLine ? "--scope '%s.**'" : "scope=%s.**").formatted(own));
  }

  static List<String> unmatched(ScopeRules rules, Class<?>[] loaded) {
    List<String> classNames =
        Arrays.stream(loaded)
            .filter(type -> !type.isArray() && !type.isHidden() && type.getClassLoader() != null)
            .map(Class::getName)
            .filter(name -> !name.startsWith("dev.ridgeline.agent."))
            .toList();
    return rules.unmatched().stream().map(rule -> NearMisses.describe(rule, classNames)).toList();
  }

  private static void failures(Map<String, String> failures, List<String> lines) {
    if (failures.isEmpty()) return;
    Map.Entry<String, String> first =
        failures.entrySet().stream().min(Map.Entry.comparingByKey()).get();
    lines.add(
        "%d class%s could not be woven and stay%s as written: %s (%s)%s"
            .formatted(
                failures.size(),
                failures.size() == 1 ? "" : "es",
                failures.size() == 1 ? "s" : "",
                first.getKey(),
                first.getValue(),
                failures.size() == 1 ? "" : " and others"));
  }
}
