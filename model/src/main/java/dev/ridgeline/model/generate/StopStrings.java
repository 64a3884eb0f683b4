package dev.ridgeline.model.generate;

import java.util.List;

/** Looks for the strings that end a text, in a text that grows. */
final class StopStrings {
  private List<String> strings = List.of();
  private int longest;

  void begin(List<String> next) {
    strings = next;
    longest = 0;
    for (int i = 0; i < next.size(); i++) longest = Math.max(longest, next.get(i).length());
  }

  /** Where the first of them begins that ends behind {@code known}, or −1. */
  int find(StringBuilder text, int known) {
    int first = -1;
    for (int i = 0; i < strings.size(); i++) {
      String stop = strings.get(i);
      int at = text.indexOf(stop, Math.max(0, known - stop.length() + 1));
      if (at >= 0 && (first < 0 || at < first)) first = at;
    }
    return first;
  }

  /** How much of the text can be told: its end may be the beginning of a stop string. */
  int safe(CharSequence text) {
    for (int held = Math.min(longest - 1, text.length()); held > 0; held--) {
      for (int i = 0; i < strings.size(); i++) {
        if (begins(strings.get(i), text, text.length() - held, held)) return text.length() - held;
      }
    }
    return text.length();
  }

  private static boolean begins(String stop, CharSequence text, int from, int count) {
    if (stop.length() <= count) return false;
    for (int i = 0; i < count; i++) if (text.charAt(from + i) != stop.charAt(i)) return false;
    return true;
  }
}
