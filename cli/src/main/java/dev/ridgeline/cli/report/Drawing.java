package dev.ridgeline.cli.report;

import dev.ridgeline.cli.Terminal;
import dev.ridgeline.report.Console;
import dev.ridgeline.report.Format;
import dev.ridgeline.report.Html;
import dev.ridgeline.report.Markdown;
import dev.ridgeline.report.ProfileJson;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.Top;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.WholeFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A report in any format. */
public final class Drawing {
  /** Levels of the call tree that Markdown shows: deeper ones make it unreadable. */
  private static final int DEPTH = 6;

  private Drawing() {}

  /** What a file in this format holds. */
  public static WholeFile.Content content(Format format, Report report, int top) {
    return switch (format) {
      case CONSOLE -> text(Console.draw(report, Console.Style.plain(120), top, List.of()));
      case MARKDOWN -> text(Markdown.draw(report, top, DEPTH));
      case TOP -> text(Top.draw(report));
      case JSON -> out -> ProfileJson.write(report.profile(), out);
      case HTML -> out -> html(report, out);
    };
  }

  /** What a terminal of this kind shows. */
  public static String screen(Report report, Terminal terminal, int top, List<String> open) {
    boolean output = terminal.output();
    var style = new Console.Style(terminal.columns(), terminal.colours(), output);
    return Console.draw(report, style, top, open);
  }

  /** What to do with a run next, for the last lines of a screen. */
  public static List<String> open(RunDirectory run) {
    List<String> open = new ArrayList<>();
    open.add("ridgeline report " + run.name() + " --format console, md, html, json, top or all");
    for (Format format : List.of(Format.TOP, Format.MARKDOWN, Format.HTML)) {
      Path file = run.path().resolve(format.fileName());
      if (Files.exists(file)) open.add(file.toString());
    }
    return open;
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
