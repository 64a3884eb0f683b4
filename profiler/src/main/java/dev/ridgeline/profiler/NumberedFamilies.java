package dev.ridgeline.profiler;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Scopes that are told apart by number alone, as {@link Scope.Numbered} names them: siblings {@code
 * layer 0}, {@code layer 1}, … without a gap. Sizes ({@code matmul 128}, {@code matmul 256}) are
 * none: they do not begin at 0.
 */
final class NumberedFamilies {
  /** By name without number, the name of the whole family. */
  private final Map<String, String> names = new HashMap<>();

  private NumberedFamilies() {}

  static NumberedFamilies of(CallTree tree) {
    NumberedFamilies families = new NumberedFamilies();
    families.addChildrenOf(tree.root());
    tree.forEach(families::addChildrenOf);
    return families;
  }

  private void addChildrenOf(CallTree.Node parent) {
    Map<String, BitSet> numbers = new HashMap<>();
    for (CallTree.Node child : parent.children()) {
      int number = number(child.name());
      if (number >= 0) {
        numbers.computeIfAbsent(base(child.name()), _ -> new BitSet()).set(number);
      }
    }
    numbers.forEach(
        (base, members) -> {
          int last = members.length() - 1;
          if (last > 0 && members.cardinality() == last + 1) {
            names.merge(base, base + " 0–" + last, NumberedFamilies::larger);
          }
        });
  }

  private static String larger(String one, String other) {
    return one.length() > other.length()
            || one.length() == other.length() && one.compareTo(other) > 0
        ? one
        : other;
  }

  boolean isEmpty() {
    return names.isEmpty();
  }

  /** The name of the family that a scope belongs to, or its own. */
  String fold(String name) {
    return number(name) < 0 ? name : names.getOrDefault(base(name), name);
  }

  private static String base(String name) {
    return name.substring(0, name.lastIndexOf(' '));
  }

  /** The number at the end of a name, −1 for none. Never large: a scope has at most 2^20. */
  private static int number(String name) {
    int space = name.lastIndexOf(' ');
    int digits = name.length() - space - 1;
    if (space < 1 || digits < 1 || digits > 7) return -1;
    if (digits > 1 && name.charAt(space + 1) == '0') return -1;
    int number = 0;
    for (int i = space + 1; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') return -1;
      number = 10 * number + c - '0';
    }
    return number;
  }
}
