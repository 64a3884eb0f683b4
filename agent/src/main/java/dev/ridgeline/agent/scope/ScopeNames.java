package dev.ridgeline.agent.scope;

import dev.ridgeline.profiler.Profile;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Gives the scopes of a finished profile the shortest names that tell them apart: {@code Foo.bar},
 * with parameters where overloads were recorded, with the package where two classes are called so.
 */
public final class ScopeNames {
  private ScopeNames() {}

  /** Behind the name of a scope of which not every call was recorded. */
  static final String SWITCHED_OFF = " (switched off)";

  /**
   * The profile with short names.
   *
   * @param switchedOff scopes whose figures end before the profile does, so that their rows say so
   */
  public static Profile shorten(
      Profile profile, Collection<ScopedMethod> methods, Set<String> switchedOff) {
    Set<String> recorded = new HashSet<>();
    for (Profile.Lane lane : profile.lanes()) {
      for (Profile.Node node : lane.nodes()) recorded.add(node.name());
    }
    for (Profile.Path path : profile.paths()) recorded.add(path.name());
    Map<String, String> names = of(methods, recorded);
    for (String name : switchedOff) names.put(name, names.getOrDefault(name, name) + SWITCHED_OFF);
    return profile.renamed(name -> names.getOrDefault(name, name));
  }

  /** From the name of each recorded scope to a shorter one. */
  public static Map<String, String> of(Collection<ScopedMethod> methods, Set<String> recorded) {
    List<ScopedMethod> shown =
        methods.stream()
            .filter(method -> method.givenName().isEmpty() && recorded.contains(method.scopeName()))
            .distinct()
            .toList();
    Map<String, Set<String>> classes =
        shown.stream()
            .collect(
                Collectors.groupingBy(
                    ScopedMethod::simple,
                    Collectors.mapping(ScopedMethod::qualified, Collectors.toSet())));
    Map<String, Long> overloads =
        shown.stream()
            .collect(Collectors.groupingBy(ScopedMethod::qualified, Collectors.counting()));
    Set<String> taken = methods.stream().map(ScopedMethod::givenName).collect(Collectors.toSet());
    Map<String, String> names = new HashMap<>();
    for (ScopedMethod method : shown) {
      boolean alone = classes.get(method.simple()).size() == 1 && !taken.contains(method.simple());
      String name = alone ? method.simple() : method.qualified();
      if (overloads.get(method.qualified()) > 1) {
        name += "(" + Parameters.simple(method.descriptor()) + ")";
      }
      names.put(method.scopeName(), name);
    }
    return names;
  }
}
