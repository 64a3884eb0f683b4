package dev.ridgeline.tensor.gguf;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What somebody may have meant by a name that is not there. */
public final class NearMisses {
  private static final int SHOWN = 3;
  private static final int SHORTEST_PART = 3;

  private NearMisses() {}

  /** Names that contain the word, then those that differ by a few letters. */
  public static List<String> of(String word, Collection<String> names) {
    String wanted = word.toLowerCase(Locale.ROOT);
    int tolerated = Math.max(2, wanted.length() / 4);
    record Near(String name, int edits) {}
    return names.stream()
        .map(name -> new Near(name, edits(wanted, name.toLowerCase(Locale.ROOT))))
        .filter(near -> near.edits <= tolerated)
        .sorted(Comparator.comparingInt(Near::edits))
        .limit(SHOWN)
        .map(Near::name)
        .toList();
  }

  /** Letters to add, drop or change; none where the word is part of the name. */
  private static int edits(String word, String name) {
    if (word.length() >= SHORTEST_PART && name.contains(word)) return 0;
    int[] row = new int[name.length() + 1];
    for (int j = 0; j < row.length; j++) row[j] = j;
    for (int i = 1; i <= word.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (word.charAt(i - 1) == name.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[name.length()];
  }
}
