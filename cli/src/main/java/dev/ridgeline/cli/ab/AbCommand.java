package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Interrupt;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.profile.ProfileCommand;
import dev.ridgeline.cli.profile.Revision;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.workload.WorkloadKind;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.document.MarkdownText;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.ExperimentDocument;
import dev.ridgeline.lab.trial.ExperimentJson;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.lab.trial.Patience;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.lab.trial.Session;
import dev.ridgeline.lab.verdict.Rule;
import dev.ridgeline.report.run.Interruption;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code ab} command. */
@Command(
    name = "ab",
    description = {
      "Runs two sides in turns, each trial in a fresh process, and says whether B is faster,"
          + " slower, no difference, inconclusive or no effect.",
    },
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline ab --a '--workers 1' --b '--workers 2' -- embed --texts 64",
      "  ridgeline ab --b '--strategy packed' --budget 5m      against the default",
      "  ridgeline ab --a-rev HEAD~1 --b-rev HEAD -- generate  two revisions, each built apart",
      "  ridgeline ab --b-jvm -XX:+UseParallelGC -- kernels --filter softmax",
      "  ridgeline ab --a-command './old' --b-command './new' --metric 'rate: ([0-9.]+)'"
          + " --better higher",
      "  ridgeline ab --a -Dcache=1 --b -Dcache=2 -- java -jar app.jar",
      "  ridgeline ab --a-rev main --gate --markdown -- embed  for a pull request",
    })
public final class AbCommand implements Callable<Integer> {
  private static final Side.Options A = Side.Options.of("a");
  private static final Side.Options B = Side.Options.of("b");
  private static final Setting<String> METRIC =
      Setting.text(
          "--metric METRIC",
          "The metric that decides: a workload's by name (default: its first); of commands and"
              + " Java programs, cpu or a pattern with the number in parentheses (default: the time"
              + " they take).");
  private static final Setting<Better> BETTER =
      Setting.choice(
          "--better WAY",
          Better.class,
          Better.LOWER,
          "Which way the metric of commands and Java programs is better: lower or higher.");
  private static final Setting<String> BUDGET =
      Setting.text("--budget TIME", "2m", "How long it may take: 90s, 2m, 1h.");
  private static final Setting<String> THRESHOLD =
      Setting.text("--threshold PERCENT", "2%", "The smallest change that matters.");
  private static final Setting<Long> SEED =
      Setting.number(
          "--seed N", Long.class, "Seed of the order of trials (default: by the clock).");
  private static final Setting<Boolean> ANY_OUTPUT =
      Setting.flag("--any-output", "The sides may put out different things: do not compare that.");
  private static final Setting<Boolean> GATE =
      Setting.flag(
          "--gate",
          "Exit with 1 when B is slower, puts out something else, fails, or what has no noise got"
              + " worse.");
  private static final Setting<Boolean> JSON =
      Setting.flag("--json", "Print experiment.json, and nothing else.");
  private static final Setting<Boolean> MARKDOWN =
      Setting.flag("--markdown", "Print Markdown, for a pull request.");

  /** Enough for an interval beside an answer that does not rest on it. */
  private static final int PAIRS_BESIDE = 6;

  @Mixin private final Settings settings = new Settings(settings());

  @Parameters(
      arity = "0..*",
      paramLabel = "WORKLOAD",
      description =
          "After --: embed (the default), generate, train, kernels or op with options for both"
              + " sides, or a Java program: java -jar app.jar.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  private static Setting<?>[] settings() {
    List<Setting<?>> all = new ArrayList<>();
    all.addAll(A.all());
    all.addAll(B.all());
    all.addAll(
        List.of(
            METRIC,
            BETTER,
            BUDGET,
            THRESHOLD,
            SEED,
            ANY_OUTPUT,
            GATE,
            JSON,
            MARKDOWN,
            RunOptions.RUNS));
    return all.toArray(Setting[]::new);
  }

  @Override
  public Integer call() {
    Side a = Side.of(settings, A);
    Side b = Side.of(settings, B);
    boolean commands = a.command() != null || b.command() != null;
    if (commands && (a.command() == null || b.command() == null)) {
      throw new Problem("--a-command and --b-command go together");
    }
    if (commands && !words.isEmpty()) throw new Problem("commands or a workload, not both");
    boolean foreign = commands || JavaProgram.is(words);
    Commands.Line lineA = foreign ? line(a) : null;
    Commands.Line lineB = foreign ? line(b) : null;
    Pattern pattern = foreign ? CommandTrial.pattern(settings.read(METRIC)) : null;
    Better better = foreign ? settings.read(BETTER) : Better.NEITHER;
    if (foreign && better == Better.NEITHER) throw new Problem("--better neither: lower or higher");
    String metric = foreign ? null : settings.read(METRIC);
    WorkloadKind kind = foreign ? null : kind();
    double budget = Amounts.seconds(BUDGET.name(), settings.read(BUDGET));
    double threshold = Amounts.fraction(THRESHOLD.name(), settings.read(THRESHOLD));
    Long given = settings.read(SEED);
    long seed = given == null ? System.nanoTime() & 0xffff_ffffL : given;
    boolean anyOutput = settings.read(ANY_OUTPUT);
    boolean gate = settings.read(GATE);
    boolean json = settings.read(JSON);
    boolean markdown = settings.read(MARKDOWN);
    if (json && markdown) throw new Problem("--json or --markdown, not both");
    var question = new Session.Question(threshold, budget, seed, metric);
    Instant started = Instant.now();
    Child child = new Child();
    Interrupt interrupt = Interrupt.does(() -> stop(child));
    try (Progress progress = progress();
        child;
        interrupt;
        Worktrees trees = !foreign && needsTrees(a, b) ? Worktrees.ofRidgeline(child) : null;
        RunDraft draft = begin(a, b, trees, started);
        Interruption _ = Interruption.tidies(draft::close)) {
      Workloads workloads =
          foreign
              ? null
              : new Workloads(
                  new WorkloadTrial(
                      child,
                      kind,
                      metric,
                      words.isEmpty() ? List.of() : words.subList(1, words.size())),
                  a,
                  b,
                  program(a, a, b, trees, progress),
                  program(b, a, b, trees, progress),
                  new Patience(budget),
                  draft.path());
      Runner trials =
          foreign
              ? new Commands(
                  new CommandTrial(child, pattern, better),
                  lineA,
                  lineB,
                  new Patience(budget),
                  draft.path())
              : workloads;
      Runner runner =
          anyOutput
              ? (arm, number, seconds) -> trials.run(arm, number, seconds).withoutOutput()
              : trials;
      Session session =
          new Session(question, runner, new Watching(progress, workloads), System::nanoTime);
      session.run();
      if (session.trials().isEmpty()) throw new Stopped();
      Experiment experiment =
          Experiment.of(
              session,
              new Experiment.Setting(
                  started,
                  typed(),
                  commands ? "" : words.isEmpty() ? kind.name() : String.join(" ", words),
                  a.words(),
                  b.words(),
                  workloads != null && workloads.perUnit()),
              workloads == null ? "" : workloads.noEffect());
      draft.write(ExperimentJson.FILE, out -> ExperimentJson.write(experiment, out));
      Document document = ExperimentDocument.of(experiment);
      draft.write(Document.PAGE, out -> HtmlPage.write(document, out));
      // Of other programs than this one no revision is known.
      draft.write(run(experiment, foreign ? "" : Revision.of()));
      RunDirectory record = draft.commit();
      progress.close();
      print(experiment, record, json, markdown);
      if (interrupt.code() != 0) return interrupt.code();
      if (session.failure() != null) {
        spec.commandLine().getErr().println("ridgeline: it ended early, " + session.failure());
        return ExitCode.BAD_ANSWER;
      }
      List<String> failures = experiment.failures();
      failures.forEach(each -> spec.commandLine().getErr().println("ridgeline: " + each));
      boolean bad = !failures.isEmpty() || gate && experiment.regressed();
      return bad ? ExitCode.BAD_ANSWER : 0;
    } catch (Stopped _) {
      spec.commandLine().getErr().println("ridgeline: stopped before the first trial was over");
      return interrupt.code() == 0 ? 130 : interrupt.code();
    }
  }

  /** What a side runs that is not this program. */
  private Commands.Line line(Side side) {
    if (side.command() != null) return Commands.Line.shell(side.command());
    return new JavaProgram(words).line(side);
  }

  private static boolean stop(Child child) {
    child.stop();
    return true;
  }

  /** What is wrong with a revision is said before anything is built or written. */
  private RunDraft begin(Side a, Side b, Worktrees trees, Instant started) throws Stopped {
    for (Side side : List.of(a, b)) if (side.revision() != null) trees.commit(side.revision());
    Rehearsal.endsHere();
    return RunOptions.runs(settings).begin("ab", started);
  }

  private static boolean needsTrees(Side a, Side b) {
    return a.revision() != null || b.revision() != null;
  }

  private WorkloadKind kind() {
    return ProfileCommand.kind(words.isEmpty() ? "embed" : words.getFirst());
  }

  /** How a side is started; what a cache of classes would favour, neither side has. */
  private static Program program(Side side, Side a, Side b, Worktrees trees, Progress progress)
      throws Stopped {
    Program program = Program.here();
    boolean alike =
        Stream.of(a, b)
            .allMatch(
                each ->
                    each.revision() == null
                        && each.java() == null
                        && each.jvm().stream().noneMatch(Program::choosesCollector));
    if (!alike) program = program.withoutCache();
    if (side.revision() != null) {
      progress.step("building " + side.revision());
      program = program.withJar(trees.jar(side.revision()));
    }
    if (side.java() != null) program = program.onJava(side.java());
    return program.with(side.jvm());
  }

  private Progress progress() {
    PrintWriter err = spec.commandLine().getErr();
    return Terminal.detect().errors() ? Progress.on(err) : Progress.silent();
  }

  /** Tells how it goes, and when the answer is known without more trials. */
  private record Watching(Progress progress, Workloads workloads) implements Session.Watcher {
    @Override
    public void begins(Session session, Arm arm) {
      progress.step(ExperimentText.progress(session, arm));
    }

    @Override
    public int enough() {
      return workloads != null && !workloads.noEffect().isEmpty() ? PAIRS_BESIDE : 0;
    }

    @Override
    public void after(Session session, Rule.Finding finding) {}
  }

  private List<String> typed() {
    return Stream.concat(
            Stream.of("ridgeline"),
            spec.root().commandLine().getParseResult().originalArgs().stream())
        .toList();
  }

  /** What makes the record a run like others. */
  private Run run(Experiment experiment, String revision) {
    Experiment.Setting setting = experiment.setting();
    Map<String, String> what = new LinkedHashMap<>();
    if (!setting.workload().isEmpty()) what.put("workload", setting.workload());
    what.put("A", setting.a());
    what.put("B", setting.b());
    List<Metric> metrics = new ArrayList<>();
    var deciding = experiment.deciding();
    if (deciding != null && deciding.a().length > 0) {
      String name = deciding.metric();
      metrics.add(Metric.of("A: " + name, deciding.unit(), deciding.better(), deciding.a()));
      metrics.add(Metric.of("B: " + name, deciding.unit(), deciding.better(), deciding.b()));
    }
    return new Run(
        "ab",
        experiment.verdict().word() + ": " + ExperimentText.asked(experiment),
        setting.started(),
        setting.command(),
        settings.asOptions(),
        Machine.here(),
        revision,
        what,
        Map.of(),
        "",
        metrics);
  }

  private void print(Experiment experiment, RunDirectory record, boolean json, boolean markdown) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        ExperimentJson.write(experiment, bytes);
      } catch (IOException e) {
        throw Problem.of(e);
      }
      out.println(bytes.toString(StandardCharsets.UTF_8).stripTrailing());
    } else {
      Document document =
          ExperimentDocument.of(experiment).keptIn(record.path().toString(), ExperimentJson.FILE);
      var lines = markdown ? MarkdownText.lines(document) : ConsoleText.lines(document);
      lines.forEach(out::println);
    }
    out.flush();
  }
}
