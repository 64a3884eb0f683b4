package dev.ridgeline.agent.scope;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What somebody may have meant by a pattern that matched nothing. */
public final class NearMisses {
  private static final int SHOWN = 3;

  private NearMisses() {}

  /**
   * One line about a rule that matched no method.
   *
   * @param classNames every class that there is
   */
  public static String describe(ScopeRules.Rule rule, Collection<String> classNames) {
    MethodPattern pattern = rule.pattern();
    List<String> near =
        rule.methodsSeen().isEmpty()
            ? nearTypes(pattern, classNames)
            : nearest(pattern.methodText(), rule.methodsSeen());
    String what =
        rule.methodsSeen().isEmpty() ? "no class has that name" : "its classes have no such method";
    return "scope '%s' matched nothing: %s%s"
        .formatted(
            pattern,
            what,
            near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?");
  }

  private static List<String> nearTypes(MethodPattern pattern, Collection<String> classNames) {
    String wanted = pattern.typeText();
    if (wanted.isEmpty()) return List.of();
    Set<String> names = new LinkedHashSet<>();
    boolean qualified = wanted.contains(".");
    String asPackage = wanted + "." + pattern.methodText() + ".";
    for (String name : classNames) {
      String dotted = name.replace('$', '.');
      // com.acme was written for com.acme.**
      if (dotted.startsWith(asPackage)) return List.of(asPackage + "**");
      names.add(qualified ? dotted : dotted.substring(dotted.lastIndexOf('.') + 1));
    }
    return nearest(wanted, names);
  }

  /** The names that differ least from a word, if any is near at all. */
  public static List<String> nearest(String word, Collection<String> names) {
    int tolerance = Math.max(2, word.length() / 4);
    record Near(String name, int distance) {}
    return names.stream()
        .filter(name -> Math.abs(name.length() - word.length()) <= tolerance)
        .map(name -> new Near(name, distance(word, name, tolerance)))
        .filter(near -> near.distance <= tolerance)
        .sorted(Comparator.comparingInt(Near::distance).thenComparing(Near::name))
        .limit(SHOWN)
        .map(Near::name)
        .toList();
  }

  /** Edits from one word to another, capital letters counting nothing; given up beyond a limit. */
  static int distance(String from, String to, int limit) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) row[j] = j;
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      int least = i;
      for (int j = 1; j < row.length; j++) {
        boolean same = fold(from.charAt(i - 1)) == fold(to.charAt(j - 1));
        int cost = Math.min(Math.min(row[j], row[j - 1]) + 1, diagonal + (same ? 0 : 1));
        diagonal = row[j];
        row[j] = cost;
        least = Math.min(least, cost);
      }
      if (least > limit) return limit + 1;
    }
    return row[to.length()];
  }

  private static char fold(char c) {
    return Character.toLowerCase(c);
  }
}
