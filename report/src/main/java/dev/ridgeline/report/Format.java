package dev.ridgeline.report;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The formats that a finished run can be drawn in, and what each of them must find in it. */
public enum Format {
  CONSOLE("console", "", Needs.TIME),
  MARKDOWN("md", "report.md", Needs.TIME),
  HTML("html", "report.html", Needs.TIME),
  JSON("json", "profile.json", Needs.TIME),
  TOP("top", "top.txt", Needs.TIME),
  PPROF("pprof", "cpu.pb.gz", Needs.TIME),
  PPROF_ALLOCATION("pprof-alloc", "alloc.pb.gz", Needs.ALLOCATION),
  SPEEDSCOPE("speedscope", "profile.speedscope.json", Needs.TIME),
  COLLAPSED("collapsed", "stacks.collapsed", Needs.TIME),
  FLAME("flame", "flame.svg", Needs.TIME),
  PERFETTO("perfetto", "trace.perfetto-trace", Needs.EVENTS),
  CHROME("chrome", "trace.json", Needs.EVENTS);

  /** What a format draws, and how to have it recorded. */
  public enum Needs {
    TIME(Level.TIME, "a profile", "ridgeline profile"),
    ALLOCATION(Level.ALLOCATION, "allocations", "--level allocation"),
    EVENTS(Level.TRACE, "raw events", "--level trace");

    private final Level level;
    private final String what;
    private final String option;

    Needs(Level level, String what, String option) {
      this.level = level;
      this.what = what;
      this.option = option;
    }

    /** What to do to have it recorded. */
    public String remedy() {
      return "record " + what + " with " + option;
    }
  }

  private final String id;
  private final String fileName;
  private final Needs needs;

  Format(String id, String fileName, Needs needs) {
    this.id = id;
    this.fileName = fileName;
    this.needs = needs;
  }

  /** The format that users call so; one that there is none of is an IllegalArgumentException. */
  public static Format of(String id) {
    for (Format format : values()) if (format.id.equals(id)) return format;
    String known = Arrays.stream(values()).map(Format::id).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("no format '" + id + "'; there are " + known);
  }

  /** What users call it. */
  public String id() {
    return id;
  }

  /** Whether its bytes are no text. */
  public boolean binary() {
    return this == PPROF || this == PPROF_ALLOCATION || this == PERFETTO;
  }

  /** Whether it holds raw events where there are some, and so has to keep to a limit. */
  public boolean holdsEvents() {
    return this == SPEEDSCOPE || this == PERFETTO || this == CHROME;
  }

  /** The level at which a session records what it draws. */
  public Level level() {
    return needs.level;
  }

  /** Its file in a run directory; empty for what only goes to a terminal. */
  public String fileName() {
    return fileName;
  }

  /**
   * Why it cannot be drawn, with the option that would help; null when it can.
   *
   * @param profile what was recorded, or null
   */
  public String refusal(Profile profile) {
    if (profile != null && profile.level().compareTo(needs.level) >= 0) return null;
    String recorded = profile == null ? "without a profile" : "at level " + profile.level();
    return "%s needs %s, but this run was recorded %s; %s"
        .formatted(id, needs.what, recorded, needs.remedy());
  }
}
