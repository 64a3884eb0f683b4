package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Interrupt;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.profile.ProfileCommand;
import dev.ridgeline.cli.profile.Revision;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.workload.WorkloadKind;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.process.Child;
import dev.ridgeline.lab.process.CommandTrial;
import dev.ridgeline.lab.process.Processes;
import dev.ridgeline.lab.process.Program;
import dev.ridgeline.lab.process.Work;
import dev.ridgeline.lab.process.WorkloadTrial;
import dev.ridgeline.lab.process.Worktrees;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.ExperimentDocument;
import dev.ridgeline.lab.trial.ExperimentJson;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.lab.trial.Host;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.lab.trial.Session;
import dev.ridgeline.lab.verdict.NoEffect;
import dev.ridgeline.profiler.file.Interruption;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private static final Setting<String> BUDGET =
      Measuring.budget("2m", "How long it may take: 90s, 2m, 1h.");
  private static final Setting<String> THRESHOLD =
      Measuring.threshold("The smallest change that matters.");
  private static final Setting<Boolean> ANY_OUTPUT =
      Setting.flag("--any-output", "The sides may put out different things: do not compare that.");
  private static final Setting<Boolean> GATE =
      Setting.flag(
          "--gate",
          "Exit with 1 when B is slower, puts out something else, fails, or what has no noise got"
              + " worse.");
  private static final Setting<Boolean> JSON = Measuring.json(ExperimentJson.FILE);

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
            Measuring.BETTER,
            BUDGET,
            THRESHOLD,
            Measuring.SEED,
            ANY_OUTPUT,
            GATE,
            JSON,
            Measuring.MARKDOWN,
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
    List<List<String>> lines = foreign ? List.of(line(a), line(b)) : List.of();
    Pattern pattern = foreign ? CommandTrial.pattern(settings.read(METRIC)) : null;
    Better better = foreign ? Measuring.better(settings) : Better.NEITHER;
    String metric = foreign ? null : settings.read(METRIC);
    WorkloadKind kind = foreign ? null : kind();
    double budget = Amounts.seconds(BUDGET.name(), settings.read(BUDGET));
    double threshold = Amounts.fraction(THRESHOLD.name(), settings.read(THRESHOLD));
    boolean anyOutput = settings.read(ANY_OUTPUT);
    boolean gate = settings.read(GATE);
    Measuring measuring = new Measuring(settings, spec, JSON, true);
    var question = new Session.Question(threshold, budget, measuring.seed(), metric);
    Instant started = Instant.now();
    Child child = new Child();
    Interrupt interrupt = Measuring.stops(child);
    try (Progress progress = measuring.progress();
        child;
        interrupt;
        Worktrees trees = !foreign && needsTrees(a, b) ? worktrees(child) : null;
        RunDraft draft = begin(a, b, trees, started);
        Interruption _ = Interruption.tidies(draft::close)) {
      String length = foreign ? "" : length(kind, a, b);
      List<Work> works = new ArrayList<>();
      for (Side side : List.of(a, b)) {
        works.add(
            foreign
                ? command(child, side, lines.get(works.size()), pattern, better)
                : new WorkloadTrial(
                    child,
                    program(side, a, b, trees, progress),
                    workload(kind, side),
                    length,
                    metric));
      }
      Runner<Arm> trials =
          new Processes<>(
              draft.path(),
              Arm::word,
              arm -> arm.isB() ? "B" : "A",
              arm -> works.get(arm.isB() ? 1 : 0));
      Runner<Arm> runner =
          anyOutput
              ? (arm, n, some, most) -> trials.run(arm, n, some, most).withoutOutput()
              : trials;
      boolean alike = !foreign && a.sameProgram() && b.sameProgram();
      Options options = new Options(draft.path(), alike, length);
      Session session = new Session(question, runner, new Watching(progress, options), Host.HERE);
      session.run();
      if (session.trials().isEmpty()) throw new Stopped();
      Experiment experiment =
          Experiment.of(
              session,
              new Experiment.Setting(
                  started,
                  measuring.typed(),
                  commands ? "" : words.isEmpty() ? kind.name() : String.join(" ", words),
                  a.words(),
                  b.words(),
                  !foreign && options.perUnit(session)),
              options.noEffect(session));
      draft.write(ExperimentJson.FILE, out -> ExperimentJson.write(experiment, out));
      Document document = ExperimentDocument.of(experiment);
      draft.write(Document.PAGE, out -> HtmlPage.write(document, out));
      // Of other programs than this one no revision is known.
      draft.write(run(experiment, measuring, foreign ? "" : Revision.of()));
      RunDirectory record = draft.commit();
      progress.close();
      measuring.print(
          document, record, ExperimentJson.FILE, out -> ExperimentJson.write(experiment, out));
      if (interrupt.code() != 0) return interrupt.code();
      if (session.failure() != null) {
        measuring.tell("it ended early, " + session.failure());
        return ExitCode.BAD_ANSWER;
      }
      List<String> failures = experiment.failures();
      failures.forEach(measuring::tell);
      boolean bad = !failures.isEmpty() || gate && experiment.regressed();
      return bad ? ExitCode.BAD_ANSWER : 0;
    } catch (Stopped _) {
      return measuring.stopped(interrupt, "the first trial was over");
    }
  }

  /** What a side runs that is not this program. */
  private List<String> line(Side side) {
    if (side.command() != null) return CommandTrial.shell(side.command());
    return new JavaProgram(words).line(side);
  }

  private static Work command(
      Child child, Side side, List<String> line, Pattern metric, Better better) {
    String shown = side.command() != null ? side.command() : String.join(" ", line);
    return new CommandTrial(child, shown, line, null, metric, better, true);
  }

  /** The workload of a side: its name, the options of both, its own. */
  private List<String> workload(WorkloadKind kind, Side side) {
    List<String> all = new ArrayList<>(List.of(kind.name()));
    all.addAll(words.subList(Math.min(1, words.size()), words.size()));
    all.addAll(side.options());
    return all;
  }

  private String length(WorkloadKind kind, Side a, Side b) {
    List<String> all = workload(kind, a);
    all.addAll(b.options());
    return Measuring.length(kind, all);
  }

  private static Worktrees worktrees(Child child) {
    Path root = Revision.root();
    if (root != null) return new Worktrees(child, root);
    throw new Problem("revisions can be compared only where ridgeline runs from its git checkout");
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

  /**
   * What the first run of each side says of its options.
   *
   * @param alike whether sides differ in options alone, so that these may have had no effect
   * @param length the option that was chosen for each trial, or empty
   */
  private record Options(Path record, boolean alike, String length) {
    /** Whether work is counted, so that times of scopes are told for a unit of it. */
    boolean perUnit(Session session) {
      return first(session, Arm.A).filter(run -> run.units() > 0).isPresent();
    }

    /** Why they had no effect, or empty. */
    String noEffect(Session session) {
      if (!alike) return "";
      Optional<Run> a = first(session, Arm.A);
      Optional<Run> b = first(session, Arm.B);
      if (a.isEmpty() || b.isEmpty()) return "";
      Set<String> own = length.isEmpty() ? Set.of() : Set.of(length);
      return NoEffect.ofOneProgram(a.get(), b.get(), own).orElse("");
    }

    private Optional<Run> first(Session session, Arm arm) {
      return session.trials().stream()
          .filter(trial -> trial.arm() == arm && !trial.failed())
          .findFirst()
          .map(trial -> new RunDirectory(record.resolve(trial.directory())).run());
    }
  }

  /** Tells how it goes, and when the answer is known without more trials. */
  private record Watching(Progress progress, Options options) implements Session.Watcher {
    @Override
    public void begins(Session session, Arm arm) {
      progress.step(ExperimentText.progress(session, arm));
    }

    @Override
    public int enough(Session session) {
      return options.noEffect(session).isEmpty() ? 0 : PAIRS_BESIDE;
    }
  }

  /** What makes the record a run like others. */
  private static Run run(Experiment experiment, Measuring measuring, String revision) {
    Experiment.Setting setting = experiment.setting();
    Map<String, String> what = new LinkedHashMap<>();
    if (!setting.workload().isEmpty()) what.put("workload", setting.workload());
    what.put("A", setting.a());
    what.put("B", setting.b());
    return measuring.run(
        "ab",
        experiment.verdict().word() + ": " + ExperimentText.asked(experiment),
        setting.started(),
        revision,
        what,
        Measuring.metrics(experiment, "A", "B"));
  }
}
