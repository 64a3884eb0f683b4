package dev.ridgeline.tensor.gguf;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Names that somebody may have meant. */
final class NearMisses {
  private static final int MOST = 3;

  private NearMisses() {}

  /** The names that differ by the fewest edits, if those are few. */
  static List<String> of(String name, Collection<String> names) {
    int tolerated = Math.max(2, name.length() / 5);
    return names.stream()
        .filter(other -> Math.abs(other.length() - name.length()) <= tolerated)
        .filter(other -> edits(name, other) <= tolerated)
        .sorted(Comparator.comparingInt(other -> edits(name, other)))
        .limit(MOST)
        .toList();
  }

  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) row[j] = j;
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
