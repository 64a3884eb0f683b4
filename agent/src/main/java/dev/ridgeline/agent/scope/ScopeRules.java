package dev.ridgeline.agent.scope;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which methods become scopes: those that a pattern means and no exclusion takes out again. Counts
 * what each pattern met, so that one that met nothing can be called out.
 */
public final class ScopeRules {
  private static final int NAMES_REMEMBERED = 2_000;

  private final List<Rule> rules;
  private final List<MethodPattern> excluded;

  private ScopeRules(List<Rule> rules, List<MethodPattern> excluded) {
    this.rules = rules;
    this.excluded = excluded;
  }

  /** Patterns as written; those that begin with {@code !} exclude. */
  public static ScopeRules of(List<String> patterns) {
    List<Rule> rules = new ArrayList<>();
    List<MethodPattern> excluded = new ArrayList<>();
    for (String pattern : patterns) {
      if (pattern.startsWith("!")) excluded.add(MethodPattern.of(pattern.substring(1)));
      else rules.add(new Rule(MethodPattern.of(pattern)));
    }
    return new ScopeRules(List.copyOf(rules), List.copyOf(excluded));
  }

  /** What is asked of a method besides its name. */
  public record Shape(boolean trivial, boolean synthetic) {}

  /** Whether there is any pattern at all. */
  public boolean none() {
    return rules.isEmpty();
  }

  /** How many patterns there are. */
  public int size() {
    return rules.size();
  }

  /** Whether a pattern spells a package out, or one above it. */
  public boolean nameJdkPackage(String packageName) {
    for (Rule rule : rules) if (rule.pattern.namesPackage(packageName)) return true;
    return false;
  }

  /** The rules that may mean methods of a class. */
  public List<Rule> rulesFor(String className) {
    List<Rule> found = List.of();
    for (Rule rule : rules) {
      if (!rule.pattern.matchesType(className)) continue;
      if (found.isEmpty()) found = new ArrayList<>();
      found.add(rule);
    }
    return found;
  }

  /** Whether a method of that class is a scope by one of its rules. */
  public boolean isScope(
      List<Rule> of, String className, String method, String descriptor, Shape shape) {
    boolean wanted = false;
    for (Rule rule : of) wanted |= rule.wants(method, descriptor, shape);
    return wanted && !excludes(className, method, descriptor);
  }

  /** Whether a method is taken out, whoever wants it. */
  public boolean excludes(String className, String method, String descriptor) {
    for (MethodPattern pattern : excluded) {
      if (pattern.matchesType(className) && pattern.matchesMethod(method, descriptor)) return true;
    }
    return false;
  }

  /** The rules that met no method. */
  public List<Rule> unmatched() {
    return rules.stream().filter(rule -> !rule.matched).toList();
  }

  /** A pattern and what it met. */
  public static final class Rule {
    private final MethodPattern pattern;
    private final Set<String> methodsSeen = ConcurrentHashMap.newKeySet();
    private volatile boolean matched;

    private Rule(MethodPattern pattern) {
      this.pattern = pattern;
    }

    private boolean wants(String method, String descriptor, Shape shape) {
      if (!pattern.matchesMethod(method, descriptor)) {
        if (methodsSeen.size() < NAMES_REMEMBERED) methodsSeen.add(method);
        return false;
      }
      boolean asked = pattern.namesMethod() || pattern.methodText().startsWith("lambda$");
      if (!asked && (shape.trivial() || shape.synthetic())) {
        // Met, but too small to be worth a scope: the pattern is not wrong.
        matched |= shape.trivial();
        return false;
      }
      matched = true;
      return true;
    }

    public MethodPattern pattern() {
      return pattern;
    }

    /** Names of methods in the classes it means. */
    public Set<String> methodsSeen() {
      return methodsSeen;
    }
  }
}
