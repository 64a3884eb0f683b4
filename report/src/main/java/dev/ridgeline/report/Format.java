package dev.ridgeline.report;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.roofline.Ceilings;
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
  PPROF_SAMPLES("pprof-samples", "samples.pb.gz", Needs.SAMPLES),
  SPEEDSCOPE("speedscope", "profile.speedscope.json", Needs.TIME),
  COLLAPSED("collapsed", "stacks.collapsed", Needs.TIME),
  COLLAPSED_ALLOCATION("collapsed-alloc", "allocations.collapsed", Needs.ALLOCATION),
  FLAME("flame", "flame.svg", Needs.TIME),
  FLAME_ALLOCATION("flame-alloc", "allocations.svg", Needs.ALLOCATION),
  ROOFLINE("roofline", "roofline.svg", Needs.CEILINGS),
  PERFETTO("perfetto", "trace.perfetto-trace", Needs.EVENTS),
  CHROME("chrome", "trace.json", Needs.EVENTS),
  JFR("jfr", "recording.jfr", Needs.RECORDING),
  DIFFERENCE_HTML("diff-html", "difference.html", Needs.TWO_RUNS),
  DIFFERENCE_SVG("diff-svg", "difference.svg", Needs.TWO_RUNS),
  DIFFERENCE_ALLOCATION_HTML(
      "diff-alloc-html", "difference-allocations.html", Needs.TWO_ALLOCATIONS),
  DIFFERENCE_ALLOCATION_SVG("diff-alloc-svg", "difference-allocations.svg", Needs.TWO_ALLOCATIONS);

  /** What a format draws, and how to have it recorded. */
  public enum Needs {
    TIME(Level.TIME, "a profile", "ridgeline profile"),
    ALLOCATION(Level.ALLOCATION, "allocations", "--level allocation"),
    EVENTS(Level.TRACE, "raw events", "--level trace"),
    SAMPLES(Level.TIME, "CPU samples", "--sample cpu"),
    /** What the machine can do, measured before the run. */
    CEILINGS(Level.TIME, "ceilings", "ridgeline roofline"),
    /** Made while the program runs; nothing finished can be drawn as one. */
    RECORDING(Level.TIME, "a flight recording", "ridgeline profile --formats jfr"),
    TWO_RUNS(Level.TIME, "a profile", "ridgeline profile"),
    TWO_ALLOCATIONS(Level.ALLOCATION, "allocations", "--level allocation");

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
    return switch (this) {
      case PPROF, PPROF_ALLOCATION, PPROF_SAMPLES, PERFETTO, JFR -> true;
      default -> false;
    };
  }

  /** Whether it shows how two runs differ. */
  public boolean compares() {
    return needs == Needs.TWO_RUNS || needs == Needs.TWO_ALLOCATIONS;
  }

  /** Whether it holds raw events where there are some, and so has to keep to a limit. */
  public boolean holdsEvents() {
    return this == SPEEDSCOPE || this == PERFETTO || this == CHROME || this == JFR;
  }

  /** Whether a session has to sample stacks for it. */
  public boolean needsSamples() {
    return needs == Needs.SAMPLES || needs == Needs.RECORDING;
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
   * @param ceilings what is known about the machine
   */
  public String refusal(Profile profile, Ceilings ceilings) {
    boolean roofed = needs == Needs.CEILINGS && ceilings.isKnown();
    return roofed ? TOP.refusal(profile) : refusal(profile);
  }

  /** Why a run cannot be one of the two that it compares; null when it can. */
  public String refusalOfOne(Profile profile) {
    return profile != null && profile.level().compareTo(needs.level) >= 0 ? null : missing(profile);
  }

  /** The same where nothing is known about the machine. */
  public String refusal(Profile profile) {
    if (compares()) return id + " compares two runs: name the other with --diff RUN";
    boolean recordedSo =
        switch (needs) {
          case RECORDING, TWO_RUNS, TWO_ALLOCATIONS, CEILINGS -> false;
          case SAMPLES -> profile != null && !profile.samples().cpu().isEmpty();
          default -> profile != null && profile.level().compareTo(needs.level) >= 0;
        };
    return recordedSo ? null : missing(profile);
  }

  private String missing(Profile profile) {
    String recorded =
        profile == null
            ? "without a profile"
            : needs == Needs.CEILINGS
                ? "without them"
                : needsSamples() ? "without it" : "at level " + profile.level();
    return "%s needs %s, but this run was recorded %s; %s"
        .formatted(id, needs.what, recorded, needs.remedy());
  }
}
