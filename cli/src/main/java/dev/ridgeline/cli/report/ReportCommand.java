package dev.ridgeline.cli.report;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.lab.bisect.Bisection;
import dev.ridgeline.lab.bisect.BisectionDocument;
import dev.ridgeline.lab.bisect.BisectionJson;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.document.MarkdownText;
import dev.ridgeline.lab.sweep.Study;
import dev.ridgeline.lab.sweep.StudyDocument;
import dev.ridgeline.lab.sweep.StudyJson;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.ExperimentDocument;
import dev.ridgeline.lab.trial.ExperimentJson;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.Column;
import dev.ridgeline.report.Format;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.format.Difference;
import dev.ridgeline.report.format.DifferenceGraph;
import dev.ridgeline.report.run.Drawing;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunReport;
import dev.ridgeline.report.run.Runs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code report} command. */
@Command(
    name = "report",
    description = "Draws a finished run in any format; without RUN, lists the runs.",
    footer = {
      "  ridgeline report                             the runs here, newest first",
      "  ridgeline report last                        the newest run, as it was first shown",
      "  ridgeline report last --sort GFLOP/s         the same, sorted by another column",
      "  ridgeline report last --format html -o a.html",
      "  ridgeline report 20261115T1010 --format all  every file of that run, redrawn",
      "  ridgeline report last --diff 20261115T1010   what changed since that run, as a page",
    })
public final class ReportCommand extends Subcommand {
  private static final Setting<String> FORMAT =
      Setting.text(
          "--format LIST",
          "console",
          names(List.of(Format.values())) + ", or all that this run supports.");
  private static final Setting<Path> OUT =
      Setting.path(
          "-o OUT",
          "File, or folder for several formats, or - for standard output (default: the console's"
              + " is printed, others go into the run).");
  private static final Setting<Integer> TOP =
      Setting.number("--top N", 15, "Hot paths, or runs, to show.");

  private static final Setting<String> SORT =
      Setting.text("--sort COLUMN", "self", "Column to sort the console's paths by.");

  private static final Setting<String> DIFF =
      Setting.text(
          "--diff OTHER",
          "Compare with this earlier run: diff-html, diff-svg, or what they allocate:"
              + " diff-alloc-html, diff-alloc-svg.");

  /** What a document can be drawn in. */
  private static final List<Format> DOCUMENTS =
      List.of(Format.CONSOLE, Format.MARKDOWN, Format.HTML);

  private static final String TRIALS =
      "%s is an experiment, drawn as %s; the runs below its folder arms as any";

  private static final String SEARCH = "%s is a bisection, drawn as %s";

  private static final Path STANDARD_OUTPUT = Path.of("-");

  public ReportCommand() {
    super(FORMAT, OUT, DIFF, TOP, SORT, RunOptions.FULL, RunOptions.TRACE_LIMIT, RunOptions.RUNS);
  }

  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      description = "Path, name, beginning of a name, 'last', or 'last~1' for the one before.")
  private String run;

  @Override
  public Integer call() throws IOException {
    Runs runs = RunOptions.runsThere(settings);
    if (run == null) RunList.print(runs, settings.positive(TOP), out());
    else if (settings.given(DIFF)) compare(runs, runs.find(run));
    else draw(runs.find(run), settings.positive(TOP));
    tellOfUnread();
    return 0;
  }

  private static String names(List<Format> formats) {
    return formats.stream().map(Format::id).collect(Collectors.joining(", "));
  }

  /** Draws how a run differs from one before it. */
  private void compare(Runs runs, RunDirectory after) throws IOException {
    RunDirectory before = runs.find(settings.read(DIFF));
    if (Files.isSameFile(before.path(), after.path())) {
      throw new Problem("--diff: " + after.name() + " would be compared with itself");
    }
    Profile old = recorded(before);
    Profile now = recorded(after);
    List<Format> differences =
        Arrays.stream(Format.values())
            .filter(Format::compares)
            .filter(it -> it.refusalOfOne(old) == null && it.refusalOfOne(now) == null)
            .toList();
    List<Format> formats =
        settings.given(FORMAT)
            ? RunOptions.formats(settings, FORMAT, differences)
            : List.of(Format.DIFFERENCE_HTML);
    for (Format format : formats) {
      if (!format.compares()) {
        throw new Problem(
            "--diff: %s shows one run; a difference is drawn as %s"
                .formatted(format.id(), names(differences)));
      }
      refuse(before, format.refusalOfOne(old));
      refuse(after, format.refusalOfOne(now));
    }
    if (!Difference.of(old.tree(), now.tree()).hasCommonPlace()) {
      throw new Problem(
          "--diff: %s and %s have no scope in common".formatted(before.name(), after.name()));
    }
    var names = new DifferenceGraph.Names(before.name(), after.name());
    for (Format format : formats) {
      put(
          format,
          Drawing.content(format, old.tree(), now.tree(), names),
          after,
          formats.size() > 1);
    }
  }

  private static Profile recorded(RunDirectory directory) {
    Profile profile = profile(directory);
    refuse(directory, Format.JSON.refusal(profile));
    return profile;
  }

  private static void refuse(RunDirectory directory, String why) {
    if (why != null) throw new Problem("--diff: %s: %s".formatted(directory.name(), why));
  }

  /** What was recorded; null where nothing was. */
  private static Profile profile(RunDirectory directory) {
    if (directory.hasProfile()) return directory.profile();
    if (!directory.run().workload().containsKey("level")) return null;
    throw new Problem(directory.name() + ": profile.json is missing");
  }

  private void draw(RunDirectory directory, int top) throws IOException {
    Path path = directory.path();
    if (Files.exists(path.resolve(ExperimentJson.FILE))) {
      Experiment it = ExperimentJson.read(path.resolve(ExperimentJson.FILE));
      draw(ExperimentDocument.of(it), ExperimentJson.FILE, TRIALS, directory);
      return;
    }
    if (Files.exists(path.resolve(StudyJson.FILE))) {
      Study it = StudyJson.read(path.resolve(StudyJson.FILE));
      draw(StudyDocument.of(it), StudyJson.FILE, TRIALS, directory);
      return;
    }
    if (Files.exists(path.resolve(BisectionJson.FILE))) {
      Bisection it = BisectionJson.read(path);
      draw(BisectionDocument.of(it), BisectionJson.FILE, SEARCH, directory);
      return;
    }
    Run kept = directory.run();
    Profile profile = profile(directory);
    if (profile == null && !settings.given(FORMAT)) {
      RunFigures.lines(kept).forEach(out()::println);
      return;
    }
    List<Format> possible =
        RunOptions.files().stream()
            .filter(format -> format.refusal(profile, kept.ceilings()) == null)
            .toList();
    List<Format> formats =
        RunOptions.formats(settings, FORMAT, profile == null ? RunOptions.files() : possible);
    for (Format format : formats) {
      String refusal = format.refusal(profile, kept.ceilings());
      if (refusal != null) throw new Problem(directory.name() + ": " + refusal);
    }
    Report report = RunReport.of(kept, profile);
    for (Format format : formats) draw(format, report, top, directory, formats.size() > 1);
  }

  /** What {@code ab}, {@code experiment} or {@code bisect} left. */
  private void draw(Document document, String file, String refusal, RunDirectory directory)
      throws IOException {
    List<Format> formats =
        RunOptions.formats(settings, FORMAT, List.of(Format.MARKDOWN, Format.HTML));
    for (Format format : formats) {
      if (DOCUMENTS.contains(format)) continue;
      throw new Problem(refusal.formatted(directory.name(), names(DOCUMENTS)));
    }
    Document kept = document.keptIn(directory.path().toString(), file);
    for (Format format : formats) {
      if (format == Format.HTML) {
        put(format, out -> HtmlPage.write(document, out), directory, formats.size() > 1);
        continue;
      }
      var lines = format == Format.MARKDOWN ? MarkdownText.lines(kept) : ConsoleText.lines(kept);
      if (format == Format.CONSOLE && settings.read(OUT) == null) {
        lines.forEach(out()::println);
      } else {
        byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        put(format, out -> out.write(bytes), directory, formats.size() > 1);
      }
    }
  }

  private void draw(Format format, Report report, int top, RunDirectory directory, boolean several)
      throws IOException {
    Path out = settings.read(OUT);
    Column by = format == Format.CONSOLE ? sort() : Column.SELF;
    Drawing.Manner manner =
        new Drawing.Manner(top, by, RunOptions.traceLimit(settings, List.of(format)), this::tell);
    if (format == Format.CONSOLE && out == null) {
      var screen = new Screen(RunOptions.full(settings, TOP, SORT), top, by);
      out().print(screen.draw(report, directory, Terminal.detect()));
    } else {
      put(format, Drawing.content(format, report, manner), directory, several);
    }
  }

  /** Writes a file where it was asked for, else into the run. */
  private void put(
      Format format, WholeFile.Content content, RunDirectory directory, boolean several)
      throws IOException {
    Rehearsal.endsHere();
    Path out = settings.read(OUT);
    if (STANDARD_OUTPUT.equals(out)) {
      print(content, format);
    } else if (out != null) {
      Path file = several ? out.resolve(fileName(format)) : out;
      if (several) Files.createDirectories(out);
      WholeFile.write(file, content);
      out().println(file);
    } else {
      out().println(directory.write(fileName(format), content));
    }
  }

  private Column sort() {
    try {
      return Column.of(settings.read(SORT));
    } catch (IllegalArgumentException e) {
      throw new Problem("--sort: " + e.getMessage(), e);
    }
  }

  private static String fileName(Format format) {
    return format == Format.CONSOLE ? "report.txt" : format.fileName();
  }

  /** Through the command's writer, so that it stays in order with what else is printed. */
  private void print(WholeFile.Content content, Format format) throws IOException {
    if (format.binary()) {
      out().flush();
      content.write(System.out);
      System.out.flush();
      return;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    content.write(bytes);
    out().print(bytes.toString(StandardCharsets.UTF_8));
  }
}
