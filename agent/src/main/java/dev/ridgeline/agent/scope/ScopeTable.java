package dev.ridgeline.agent.scope;

import dev.ridgeline.profiler.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every woven method and its number, by which woven code calls its scope. Numbers stay for the life
 * of the JVM, so that a class that is woven again gets its old ones.
 */
public final class ScopeTable {
  /** More than anybody can read; beyond it methods stay as they are. */
  public static final int LIMIT = 1 << 16;

  private final Scope[] scopes = new Scope[LIMIT];
  private final List<ScopedMethod> methods = new ArrayList<>();
  private final Map<ScopedMethod, Integer> numbers = new HashMap<>();

  /** The number of a method's scope, or −1 when there are too many. */
  public synchronized int number(ScopedMethod method) {
    Integer known = numbers.get(method);
    if (known != null) return known;
    int number = methods.size();
    if (number == LIMIT) return -1;
    methods.add(method);
    numbers.put(method, number);
    scopes[number] = Scope.of(method.scopeName());
    return number;
  }

  /** Whether there was no number left for some method. */
  public synchronized boolean full() {
    return methods.size() == LIMIT;
  }

  /** The scope with a number; null when it is switched off. */
  public Scope scope(int number) {
    return scopes[number];
  }

  /** Lets calls of a method pass unrecorded from now on. */
  public synchronized void switchOff(String scopeName) {
    for (int i = 0; i < methods.size(); i++) {
      if (methods.get(i).scopeName().equals(scopeName)) scopes[i] = null;
    }
  }

  /** Records every method again. */
  public synchronized void switchAllOn() {
    for (int i = 0; i < methods.size(); i++) scopes[i] = Scope.of(methods.get(i).scopeName());
  }

  /** Every method that was ever woven. */
  public synchronized List<ScopedMethod> methods() {
    return List.copyOf(methods);
  }
}
