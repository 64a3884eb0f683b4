package dev.ridgeline.lab.jit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How one listing becomes another, with the fewest lines removed and added. Which number a label
 * has makes no difference: one more label before it changes all that follow.
 */
public final class LineDifference {
  private static final int CONTEXT = 3;
  private static final Pattern LABEL = Pattern.compile("\\bL\\d+\\b");

  private LineDifference() {}

  /**
   * Lines of both with their mark before them, {@code -} of the first alone and {@code +} of the
   * second, and three of both around; {@code …} where more of both are left out. Empty if they are
   * equal.
   */
  public static List<String> of(List<String> before, List<String> after) {
    List<String> beforeKeys = before.stream().map(LineDifference::withoutLabels).toList();
    List<String> afterKeys = after.stream().map(LineDifference::withoutLabels).toList();
    char[][] common = longestCommon(beforeKeys, afterKeys);
    List<String> all = new ArrayList<>();
    int a = 0;
    int b = 0;
    while (a < before.size() || b < after.size()) {
      boolean hasBoth = a < before.size() && b < after.size();
      if (hasBoth && beforeKeys.get(a).equals(afterKeys.get(b))) {
        all.add("  " + before.get(a++));
        b++;
      } else if (b == after.size() || hasBoth && common[a + 1][b] >= common[a][b + 1]) {
        all.add("- " + before.get(a++));
      } else {
        all.add("+ " + after.get(b++));
      }
    }
    return aroundChanges(all);
  }

  /** How many lines the rests of both from each pair of places on have in common. */
  private static char[][] longestCommon(List<String> before, List<String> after) {
    char[][] common = new char[before.size() + 1][after.size() + 1];
    for (int a = before.size() - 1; a >= 0; a--) {
      for (int b = after.size() - 1; b >= 0; b--) {
        common[a][b] =
            (char)
                (before.get(a).equals(after.get(b))
                    ? common[a + 1][b + 1] + 1
                    : Math.max(common[a + 1][b], common[a][b + 1]));
      }
    }
    return common;
  }

  private static String withoutLabels(String line) {
    return LABEL.matcher(line).replaceAll("L");
  }

  private static List<String> aroundChanges(List<String> all) {
    boolean[] shown = new boolean[all.size()];
    for (int at = 0; at < all.size(); at++) {
      if (all.get(at).startsWith("  ")) continue;
      int end = Math.min(all.size() - 1, at + CONTEXT);
      for (int near = Math.max(0, at - CONTEXT); near <= end; near++) shown[near] = true;
    }
    List<String> lines = new ArrayList<>();
    boolean changed = false;
    for (int at = 0; at < all.size(); at++) {
      changed |= shown[at];
      if (shown[at]) lines.add(all.get(at));
      else if (at == 0 || shown[at - 1]) lines.add("  …");
    }
    return changed ? lines : List.of();
  }
}
