package dev.ridgeline.report.run;

import dev.ridgeline.report.Column;
import dev.ridgeline.report.Console;
import dev.ridgeline.report.Format;
import dev.ridgeline.report.Html;
import dev.ridgeline.report.Markdown;
import dev.ridgeline.report.ProfileJson;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.Top;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** A report in any format: the one place that knows which class draws which. */
public final class Drawing {
  /** Levels of the call tree that Markdown shows: deeper ones make it unreadable. */
  private static final int DEPTH = 6;

  /** Cells to a line in a file, which has no terminal to ask. */
  private static final int WIDTH = 120;

  private Drawing() {}

  /**
   * What a file in this format holds.
   *
   * @param by what the console's paths are sorted by
   */
  public static WholeFile.Content content(Format format, Report report, int top, Column by) {
    return switch (format) {
      case CONSOLE -> text(Console.draw(report, Console.Style.plain(WIDTH), top, by, List.of()));
      case MARKDOWN -> text(Markdown.draw(report, top, DEPTH));
      case TOP -> text(Top.draw(report));
      case JSON -> out -> ProfileJson.write(report.profile(), out);
      case HTML -> out -> html(report, out);
    };
  }

  /** What to do with a run next; the last line is the file to open, alone, to be clicked. */
  public static List<String> open(RunDirectory run) {
    List<String> files = new ArrayList<>();
    for (Format format : List.of(Format.TOP, Format.MARKDOWN, Format.HTML)) {
      if (Files.exists(run.path().resolve(format.fileName()))) files.add(format.fileName());
    }
    String last = files.isEmpty() ? "" : files.removeLast();
    String others = files.isEmpty() ? "" : "; beside the page: " + String.join(", ", files);
    return List.of(
        "ridgeline report " + run.name() + " --format …" + others,
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
