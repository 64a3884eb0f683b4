package dev.ridgeline.cli.line;

import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times, parts and counts as they are typed. */
public final class Amounts {
  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|min|h)?");
  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*%?");

  private Amounts() {}

  /** {@code 90}, {@code 90s}, {@code 2m}, {@code 1h}. */
  public static double seconds(String name, String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches())
      throw new Problem("%s %s: a time such as 90s or 2m".formatted(name, text));
    double unit =
        switch (matcher.group(2)) {
          case "ms" -> 1e-3;
          case "m", "min" -> 60;
          case "h" -> 3600;
          case null, default -> 1;
        };
    double seconds = Double.parseDouble(matcher.group(1)) * unit;
    if (seconds > 0 && seconds <= 86_400) return seconds;
    throw new Problem("%s %s: more than nothing, at most a day".formatted(name, text));
  }

  /** {@code 2%} or {@code 2}, both two hundredths. */
  public static double fraction(String name, String text) {
    Matcher matcher = PART.matcher(text);
    double percent = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
    if (percent > 0 && percent < 100) return percent / 100;
    throw new Problem("%s %s: a part such as 2%%".formatted(name, text));
  }

  /** {@code 1,2,4}: each once, ascending. */
  public static TreeSet<Integer> counts(String name, String text) {
    TreeSet<Integer> all = new TreeSet<>();
    for (String word : text.split(",", -1)) {
      if (!word.strip().matches("\\d{1,9}")) {
        throw new Problem(
            "%s %s: numbers with commas between, such as 1,2,4".formatted(name, text));
      }
      all.add(Integer.parseInt(word.strip()));
    }
    if (all.first() < 1) throw new Problem("%s %s: at least one".formatted(name, text));
    return all;
  }
}
