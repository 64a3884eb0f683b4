package dev.ridgeline.cli.report;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import dev.ridgeline.cli.Terminal;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.Column;
import dev.ridgeline.report.Format;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunReport;
import dev.ridgeline.report.run.Runs;
import dev.ridgeline.report.run.WholeFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code report} command. */
@Command(
    name = "report",
    description = "Draws a finished run again in any format; without RUN, lists the runs.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline report                             the runs here, newest first",
      "  ridgeline report last                        the newest, as it was first shown",
      "  ridgeline report last --sort GFLOP/s         its paths by another column",
      "  ridgeline report last --format html -o a.html",
      "  ridgeline report 20261115T1010 --format all  every file of that run anew",
    })
public final class ReportCommand implements Callable<Integer> {
  private static final Setting<String> FORMAT =
      Setting.text(
          "--format", "LIST", "console", names() + ", or all that this run can be drawn in.");
  private static final Setting<Path> OUT =
      Setting.path(
          "-o",
          "OUT",
          null,
          "File, or folder for several formats, or - for standard output (default: the console's"
              + " is printed, others go into the run).");
  private static final Setting<Integer> TOP =
      Setting.number("--top", "N", 15, "Hot paths, or runs, to show.");

  private static final Setting<String> SORT =
      Setting.text("--sort", "COLUMN", "self", "What the console's paths are sorted by.");

  private static final Path STANDARD_OUTPUT = Path.of("-");

  @Mixin
  private final Settings settings =
      new Settings(FORMAT, OUT, TOP, SORT, RunOptions.TRACE_LIMIT, RunOptions.RUNS);

  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      description = "Path, name, beginning of a name, or 'last'.")
  private String run;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    int top = RunOptions.positive(settings, TOP);
    Runs runs = RunOptions.runs(settings);
    // Where nobody chose a folder, or none yet, that there are no runs is an answer.
    if (settings.origin(RunOptions.RUNS) == Settings.Origin.COMMAND_LINE
        && !Files.isDirectory(runs.folder())) {
      throw new Problem("--runs " + runs.folder() + ": there is no such folder");
    }
    if (run == null) RunList.print(runs, top, spec.commandLine().getOut());
    else draw(runs.find(run), top);
    for (String option : settings.givenButNeverRead()) {
      note(option + " changes nothing here");
    }
    return 0;
  }

  private static String names() {
    return Arrays.stream(Format.values()).map(Format::id).collect(Collectors.joining(", "));
  }

  private void draw(RunDirectory directory, int top) throws IOException {
    Run kept = directory.run();
    if (!directory.hasProfile() && kept.workload().containsKey("level")) {
      throw new Problem(directory.name() + ": profile.json is missing");
    }
    Profile profile = directory.hasProfile() ? directory.profile() : null;
    List<Format> possible =
        RunOptions.files().stream().filter(format -> format.refusal(profile) == null).toList();
    List<Format> formats =
        RunOptions.formats(settings, FORMAT, profile == null ? RunOptions.files() : possible);
    for (Format format : formats) {
      String refusal = format.refusal(profile);
      if (refusal != null) throw new Problem(directory.name() + ": " + refusal);
    }
    Report report = RunReport.of(kept, profile);
    for (Format format : formats) draw(format, report, top, directory, formats.size() > 1);
  }

  private void draw(Format format, Report report, int top, RunDirectory directory, boolean several)
      throws IOException {
    Path out = settings.read(OUT);
    Column by = format == Format.CONSOLE ? sort() : Column.SELF;
    Drawing.Manner manner =
        new Drawing.Manner(top, by, RunOptions.traceLimit(settings, List.of(format)), this::note);
    WholeFile.Content content = Drawing.content(format, report, manner);
    if (STANDARD_OUTPUT.equals(out)) {
      print(content, format);
    } else if (out != null) {
      Path file = several ? out.resolve(fileName(format)) : out;
      if (several) Files.createDirectories(out);
      WholeFile.write(file, content);
      spec.commandLine().getOut().println(file);
    } else if (format == Format.CONSOLE) {
      String screen = Drawing.screen(report, Terminal.detect(), top, by, directory);
      spec.commandLine().getOut().print(screen);
    } else {
      spec.commandLine().getOut().println(directory.write(fileName(format), content));
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

  private void note(String line) {
    spec.commandLine().getErr().println("ridgeline: " + line);
  }

  /** Through the command's writer, so that it stays in order with what else is printed. */
  private void print(WholeFile.Content content, Format format) throws IOException {
    if (format.binary()) {
      spec.commandLine().getOut().flush();
      content.write(System.out);
      System.out.flush();
      return;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    content.write(bytes);
    spec.commandLine().getOut().print(bytes.toString(StandardCharsets.UTF_8));
  }
}
