package dev.ridgeline.lab.chart;

import java.util.Locale;

/** What a colour says, where it says something. */
public enum Tone {
  PLAIN,
  BETTER,
  WORSE,
  /** Of less weight than the rest. */
  ASIDE;

  /** As the style sheet names it; empty where it says nothing. */
  public String style() {
    return this == PLAIN ? "" : name().toLowerCase(Locale.ROOT);
  }
}
