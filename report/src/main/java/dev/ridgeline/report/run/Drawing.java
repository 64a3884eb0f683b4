package dev.ridgeline.report.run;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.Column;
import dev.ridgeline.report.Console;
import dev.ridgeline.report.Format;
import dev.ridgeline.report.Html;
import dev.ridgeline.report.Markdown;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.RooflinePlot;
import dev.ridgeline.report.Top;
import dev.ridgeline.report.file.ProfileJson;
import dev.ridgeline.report.format.ChromeTrace;
import dev.ridgeline.report.format.Collapsed;
import dev.ridgeline.report.format.Difference;
import dev.ridgeline.report.format.DifferenceGraph;
import dev.ridgeline.report.format.FlameGraph;
import dev.ridgeline.report.format.Kept;
import dev.ridgeline.report.format.Measure;
import dev.ridgeline.report.format.Perfetto;
import dev.ridgeline.report.format.Pprof;
import dev.ridgeline.report.format.Speedscope;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A report in any format: the one place that knows which class draws which. */
public final class Drawing {
  /** Levels of the call tree that Markdown shows: deeper ones make it unreadable. */
  private static final int DEPTH = 6;

  /** Cells to a line in a file, which has no terminal to ask. */
  private static final int WIDTH = 120;

  /** A file stands for itself: what it says does not depend on what lies around it. */
  private static final Console.Around NOWHERE = new Console.Around(List.of(), List.of());

  private Drawing() {}

  /**
   * How a report is drawn.
   *
   * @param top how many paths lists show
   * @param by what the console's paths are sorted by
   * @param traceLimit bytes that a file of raw events may have
   * @param notes takes what a reader of the file should know, a line each
   */
  public record Manner(int top, Column by, long traceLimit, Consumer<String> notes) {}

  /** What a file in this format holds. */
  public static WholeFile.Content content(Format format, Report report, Manner manner) {
    int top = manner.top();
    Profile profile = report.profile();
    return switch (format) {
      case CONSOLE ->
          text(Console.draw(report, Console.Style.plain(WIDTH), top, manner.by(), NOWHERE));
      case MARKDOWN -> text(Markdown.draw(report, top, DEPTH));
      case TOP -> text(Top.draw(report));
      case JSON -> out -> ProfileJson.write(report.profile(), out);
      case HTML -> out -> html(report, out);
      case PPROF -> out -> Pprof.cpu(profile, out);
      case PPROF_ALLOCATION -> out -> Pprof.allocation(profile, out);
      case PPROF_SAMPLES -> out -> Pprof.samples(profile, out);
      case JFR -> throw new IllegalArgumentException("a recording is made, not drawn");
      case DIFFERENCE_HTML, DIFFERENCE_SVG, DIFFERENCE_ALLOCATION_HTML, DIFFERENCE_ALLOCATION_SVG ->
          throw new IllegalArgumentException("a difference is of two reports");
      case COLLAPSED -> out -> Collapsed.write(report.tree(), Measure.TIME, out);
      case COLLAPSED_ALLOCATION -> out -> Collapsed.write(report.tree(), Measure.ALLOCATION, out);
      case ROOFLINE -> out -> text(RooflinePlot.draw(report)).write(out);
      case FLAME -> out -> FlameGraph.write(report.tree(), Measure.TIME, out);
      case FLAME_ALLOCATION -> out -> FlameGraph.write(report.tree(), Measure.ALLOCATION, out);
      case SPEEDSCOPE -> events(format, profile, manner, Speedscope::write);
      case PERFETTO -> events(format, profile, manner, Perfetto::write);
      case CHROME -> events(format, profile, manner, ChromeTrace::write);
    };
  }

  /** How two trees differ, in a format that compares. */
  public static WholeFile.Content content(
      Format format, CallTree before, CallTree after, DifferenceGraph.Names names) {
    Difference time = Difference.of(before, after);
    Difference allocation = Difference.of(before, after, Measure.ALLOCATION);
    return switch (format) {
      case DIFFERENCE_HTML -> out -> DifferenceGraph.html(time, names, out);
      case DIFFERENCE_SVG -> out -> DifferenceGraph.svg(time, names, out);
      case DIFFERENCE_ALLOCATION_HTML -> out -> DifferenceGraph.html(allocation, names, out);
      case DIFFERENCE_ALLOCATION_SVG -> out -> DifferenceGraph.svg(allocation, names, out);
      default -> throw new IllegalArgumentException(format + " is of one report");
    };
  }

  private interface EventWriter {
    Kept write(Profile profile, OutputStream out, long limitBytes) throws IOException;
  }

  private static WholeFile.Content events(
      Format format, Profile profile, Manner manner, EventWriter writer) {
    return out -> {
      Kept kept = writer.write(profile, out, manner.traceLimit());
      if (!kept.missing().isEmpty()) {
        manner.notes().accept(format.fileName() + ": " + kept.missing());
      }
    };
  }

  /**
   * What to do with a run next; the last line is the file to open, alone, to be clicked.
   *
   * @param options of the command that draws it again
   */
  public static List<String> open(RunDirectory run, String options) {
    List<String> files = new ArrayList<>();
    for (Format format : List.of(Format.TOP, Format.MARKDOWN, Format.HTML)) {
      if (Files.exists(run.path().resolve(format.fileName()))) files.add(format.fileName());
    }
    String last = files.isEmpty() ? "" : files.removeLast();
    String others = files.isEmpty() ? "" : "; also written: " + String.join(", ", files);
    return List.of(
        "ridgeline report " + Again.named(run) + options + others,
        run.path().resolve(last).toString());
  }

  /** A text as a file. */
  public static WholeFile.Content text(String text) {
    return out -> out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void html(Report report, OutputStream out) throws IOException {
    Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    Html.write(report, writer);
    writer.flush();
  }
}
