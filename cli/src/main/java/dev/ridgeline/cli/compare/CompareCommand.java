package dev.ridgeline.cli.compare;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.OutputFile;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.lab.compare.ComparisonDocument;
import dev.ridgeline.lab.compare.ComparisonJson;
import dev.ridgeline.lab.compare.RunComparison;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.document.MarkdownText;
import dev.ridgeline.lab.history.Baselines;
import dev.ridgeline.lab.history.History;
import dev.ridgeline.lab.history.Work;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code compare} command. */
@Command(
    name = "compare",
    description = {
      "Lays two finished runs side by side: metrics, scopes, allocation, collections.",
      "One run each proves no change of speed; what has no noise (output, calls, bytes) counts."
    },
    footer = {
      "  ridgeline compare 20261115T1010 last         what changed between two runs",
      "  ridgeline compare last~1 last                the newest run and the one before it",
      "  ridgeline compare main last --gate           exit code 1 if an exact count got worse",
      "  ridgeline compare main last --markdown       a table for a pull request",
      "  ridgeline compare main last --html diff.html  bars and a differential flame graph",
      "  ridgeline baseline set main last             give a run a name first",
      "  ridgeline ab --help                          prove that a change is faster",
    })
public final class CompareCommand extends Subcommand {
  private static final Setting<Boolean> GATE =
      Setting.flag(
          "--gate",
          "Exit with 1 if output, calls or bytes got worse; with 2 if runs cannot be compared.");
  private static final Setting<Boolean> JSON =
      Setting.flag("--json", "Print everything as JSON, and nothing else.");
  private static final Setting<Boolean> MARKDOWN =
      Setting.flag("--markdown", "Print Markdown, for a pull request.");
  private static final Setting<Path> HTML =
      Setting.path("--html FILE", "Also write a page with bars and a flame graph.");
  private static final Setting<Integer> TOP = Setting.number("--top N", 10, "Scopes to show.");

  /** Scopes on a page, at least. */
  private static final int PAGE_SCOPES = 20;

  public CompareCommand() {
    super(GATE, JSON, MARKDOWN, HTML, TOP, RunOptions.RUNS);
  }

  @Parameters(
      index = "0",
      paramLabel = "BASE",
      description =
          "A baseline's name, or a run: path, name, beginning of a name, 'last', or 'last~1' for"
              + " the one before.")
  private String base;

  @Parameters(index = "1", paramLabel = "CURRENT", description = "The same.")
  private String current;

  @Override
  public Integer call() throws IOException {
    Runs runs = RunOptions.runs(settings);
    int top = settings.positive(TOP);
    boolean json = settings.read(JSON);
    boolean markdown = settings.read(MARKDOWN);
    if (json && markdown) throw new Problem("--json and --markdown: one of them");
    Path page = settings.read(HTML);
    RunDirectory one = find(runs, base);
    RunDirectory other = find(runs, current);
    if (Files.isSameFile(one.path(), other.path())) {
      throw new Problem(base + " and " + current + " are the same run");
    }
    for (RunDirectory each : List.of(one, other)) {
      if (History.compares(each.run())) {
        throw new Problem(
            "%s is an experiment: `ridgeline report` shows its verdict, and the runs in its folder"
                    .formatted(each.name())
                + " arms can be compared");
      }
    }
    RunComparison.Side before = side(base, one);
    RunComparison.Side after = side(current, other);
    refuseOtherWork(before.run(), after.run());
    double drift = History.of(runs).drift(after.run());
    RunComparison comparison = RunComparison.of(before, after, drift);
    boolean gate = settings.read(GATE);
    // Neither open nor closed: a script must not take it for an answer.
    if (gate) comparison.notGated().ifPresent(CompareCommand::refuseToGate);
    if (page != null) {
      for (RunDirectory read : List.of(one, other)) {
        OutputFile.refuseToReplace(read.path().resolve("run.json"), page);
        OutputFile.refuseToReplace(read.path().resolve("profile.json"), page);
      }
      Rehearsal.endsHere();
      Document whole = ComparisonDocument.of(comparison, Math.max(top, PAGE_SCOPES));
      WholeFile.write(page, out -> HtmlPage.write(whole, out));
    }
    PrintWriter out = out();
    if (json) out.println(json(comparison));
    else {
      Document document = ComparisonDocument.of(comparison, top);
      var lines = markdown ? MarkdownText.lines(document) : ConsoleText.lines(document);
      lines.forEach(out::println);
    }
    if (page != null && !json && !markdown) out.println("\n  Open  " + page);
    out.flush();
    return gate && !comparison.gatesHold() ? ExitCode.BAD_ANSWER : 0;
  }

  private static void refuseToGate(String why) {
    throw new Problem("--gate: " + why);
  }

  private static RunDirectory find(Runs runs, String name) {
    RunDirectory named = Baselines.of(runs).find(name);
    return named == null ? runs.find(name, History::isComparable) : named;
  }

  private static RunComparison.Side side(String name, RunDirectory directory) {
    String shown = directory.name().startsWith(".") ? name : directory.name();
    return new RunComparison.Side(
        shown, directory.run(), directory.hasProfile() ? directory.profile() : null);
  }

  /** Different work has no common speed; other machines and plans are told beside the figures. */
  private static void refuseOtherWork(Run before, Run after) {
    if (!Work.name(before).equals(Work.name(after))) {
      throw new Problem(
          "%s and %s are different work: there is nothing to compare"
              .formatted(before.name(), after.name()));
    }
    String model = before.workload().getOrDefault("model", "");
    String other = after.workload().getOrDefault("model", "");
    if (!model.equals(other)) {
      throw new Problem(
          "%s and %s are different models: there is nothing to compare".formatted(model, other));
    }
  }

  private static String json(RunComparison comparison) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ComparisonJson.write(comparison, bytes);
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
