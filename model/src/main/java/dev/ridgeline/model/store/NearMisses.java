package dev.ridgeline.model.store;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What somebody may have meant by a name that is not there. */
final class NearMisses {
  private static final int SHOWN = 3;
  private static final int SHORTEST_PART = 3;

  private NearMisses() {}

  /** Names that contain the word, then those that differ by a few letters. */
  static List<String> of(String word, Collection<String> names) {
    String wanted = word.toLowerCase(Locale.ROOT);
    int tolerance = Math.max(2, wanted.length() / 4);
    record Near(String name, int distance) {}
    return names.stream()
        .map(name -> new Near(name, rank(wanted, name.toLowerCase(Locale.ROOT))))
        .filter(near -> near.distance <= tolerance)
        .sorted(Comparator.comparingInt(Near::distance))
        .limit(SHOWN)
        .map(Near::name)
        .toList();
  }

  private static int rank(String word, String name) {
    return word.length() >= SHORTEST_PART && name.contains(word) ? 0 : distance(word, name);
  }

  /** Letters to add, drop or change. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) row[j] = j;
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(Math.min(row[j], row[j - 1]) + 1, change);
      }
    }
    return row[to.length()];
  }
}
