package dev.ridgeline.cli.bisect;

import dev.ridgeline.cli.ab.Child;
import dev.ridgeline.cli.ab.CommandTrial;
import dev.ridgeline.cli.ab.Program;
import dev.ridgeline.cli.ab.WorkloadTrial;
import dev.ridgeline.cli.ab.Worktrees;
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
import dev.ridgeline.lab.bisect.Bisection;
import dev.ridgeline.lab.bisect.BisectionDocument;
import dev.ridgeline.lab.bisect.BisectionJson;
import dev.ridgeline.lab.bisect.BisectionText;
import dev.ridgeline.lab.bisect.Commit;
import dev.ridgeline.lab.bisect.Search;
import dev.ridgeline.lab.bisect.Trials.Unusable;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.ExperimentDocument;
import dev.ridgeline.lab.trial.ExperimentJson;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.lab.trial.MachineLoad;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.lab.trial.Session;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code bisect} command. */
@Command(
    name = "bisect",
    description = {
      "Finds the commit that made a command slower: halves the commits between a good and a bad"
          + " one, and decides each by trials in fresh processes, in turns with both ends.",
    },
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline bisect --good v1.2 --bad HEAD --build 'make -s' -- ./bench --quick",
      "  ridgeline bisect --good v1.2 --bad HEAD --metric 'rate: ([0-9.]+)' --better higher"
          + " -- ./bench",
      "  ridgeline bisect --good HEAD~32 --bad HEAD --budget 30m -- kernels --filter softmax",
      "                                    ridgeline's own workloads, in its own checkout",
      "",
      "Exit codes: 0 found, 1 not found or the ends do not differ, 2 the question was bad.",
    })
public final class BisectCommand implements Callable<Integer> {
  private static final Setting<String> GOOD =
      Setting.text("--good REV", "A commit that is as it should be.");
  private static final Setting<String> BAD =
      Setting.text("--bad REV", "HEAD", "A later one that is not.");
  private static final Setting<Path> REPO =
      Setting.path("--repo DIR", ".", "The git repository: a folder in it.");
  private static final Setting<Boolean> FIRST_PARENT =
      Setting.flag("--first-parent", "Take a merge as one commit, without what it brought in.");
  private static final Setting<String> BUILD =
      Setting.text("--build COMMAND", "Given to sh in each commit's worktree, once.");
  private static final Setting<String> COMMAND =
      Setting.text(
          "--command COMMAND", "Measure this, given to sh, instead of the words after --.");
  private static final Setting<String> METRIC =
      Setting.text(
          "--metric METRIC",
          "The metric that decides: of a command, a pattern with the number in parentheses, or cpu"
              + " for its processor time (default: the time it takes); a workload's by name"
              + " (default: its first).");
  private static final Setting<Better> BETTER =
      Setting.choice(
          "--better WAY",
          Better.class,
          Better.LOWER,
          "Which way the metric of a command is better: lower or higher.");
  private static final Setting<String> BUDGET =
      Setting.text("--budget TIME", "10m", "How long all trials may take; building comes on top.");
  private static final Setting<String> THRESHOLD =
      Setting.text("--threshold PERCENT", "2%", "The smallest difference that matters.");
  private static final Setting<Long> SEED =
      Setting.number(
          "--seed N", Long.class, "Seed of the order of trials (default: by the clock).");
  private static final Setting<Boolean> JSON =
      Setting.flag("--json", "Print bisect.json, and nothing else.");

  @Mixin
  private final Settings settings =
      new Settings(
          GOOD,
          BAD,
          REPO,
          FIRST_PARENT,
          BUILD,
          COMMAND,
          METRIC,
          BETTER,
          BUDGET,
          THRESHOLD,
          SEED,
          JSON,
          RunOptions.RUNS);

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description =
          "After --: what is measured, run in a worktree of each commit. In ridgeline's own"
              + " checkout the name of a workload (embed, generate, train, kernels) is that"
              + " workload.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (settings.read(GOOD) == null) throw new Problem("--good REV: a commit that was fast enough");
    String line = settings.read(COMMAND);
    if (words.isEmpty() == (line == null)) {
      throw new Problem("what is to be measured? One of: -- COMMAND, or --command 'COMMAND'");
    }
    double budget = Amounts.seconds(BUDGET.name(), settings.read(BUDGET));
    double threshold = Amounts.fraction(THRESHOLD.name(), settings.read(THRESHOLD));
    Long given = settings.read(SEED);
    long seed = given == null ? System.nanoTime() & 0xffff_ffffL : given;
    boolean json = settings.read(JSON);
    Path folder = settings.read(REPO).toAbsolutePath().normalize();
    if (!Files.isDirectory(folder)) throw new Problem("--repo %s: no folder".formatted(folder));
    Instant started = Instant.now();
    Child child = new Child();
    Interrupt interrupt = Interrupt.does(() -> stop(child));
    try (Progress progress = progress();
        child;
        interrupt;
        Worktrees trees = new Worktrees(child, folder);
        RunDraft draft = RunOptions.runs(settings).begin("bisect", started);
        Interruption _ = Interruption.tidies(draft::close)) {
      WorkloadKind kind = line == null ? kind(child, folder, draft.path()) : null;
      Repository repository = new Repository(trees, settings.read(FIRST_PARENT));
      Commit good = repository.commit(settings.read(GOOD));
      Commit bad = repository.commit(settings.read(BAD));
      repository.requireLine(good, bad);
      String metric = kind == null ? null : settings.read(METRIC);
      String shown = line == null ? String.join(" ", words) : line;
      Revisions.What what = kind == null ? foreign(child, shown) : workload(child, kind, metric);
      Rehearsal.endsHere();
      Search search =
          new Search(
              new Bisection.Setting(started, typed(), folder.toString(), shown),
              new Search.Question(good, bad, threshold, budget, seed, metric),
              repository,
              new Revisions(trees, draft.path(), what),
              new Watching(progress),
              System::nanoTime,
              MachineLoad::now);
      Bisection bisection = search.run();
      RunDirectory record = keep(bisection, draft);
      progress.close();
      print(bisection, record, json);
      if (interrupt.code() != 0) return interrupt.code();
      return bisection.answer() == Bisection.Answer.FOUND ? 0 : ExitCode.BAD_ANSWER;
    } catch (Unusable e) {
      throw new Problem("%s: %s".formatted(e.commit().name(), e.getMessage()), e);
    } catch (Stopped _) {
      spec.commandLine().getErr().println("ridgeline: stopped before anything was known");
      return interrupt.code() == 0 ? 130 : interrupt.code();
    }
  }

  private static boolean stop(Child child) {
    child.stop();
    return true;
  }

  /** The workload that the words name, where the commits are ridgeline's own; else null. */
  private WorkloadKind kind(Child child, Path folder, Path draft) throws Stopped {
    Path output = draft.resolve("git");
    Path home = Repository.home(child, folder, output);
    Path root = Revision.root();
    boolean own = root != null && home.equals(Repository.home(child, root, output));
    try {
      Files.deleteIfExists(output);
      Files.deleteIfExists(draft.resolve("git.err"));
    } catch (IOException e) {
      throw Problem.of(e);
    }
    if (!own) return null;
    for (WorkloadKind kind : ProfileCommand.KINDS) {
      if (kind.name().equals(words.getFirst())) return kind;
    }
    return null;
  }

  private Revisions.What foreign(Child child, String shown) {
    Better better = settings.read(BETTER);
    if (better == Better.NEITHER) throw new Problem("--better neither: lower or higher");
    CommandTrial trial =
        new CommandTrial(child, CommandTrial.pattern(settings.read(METRIC)), better);
    List<String> command = new ArrayList<>();
    // By a shell, which looks for ./program where it runs, not where we do.
    if (words.isEmpty()) command.addAll(CommandTrial.shell(shown));
    else command.addAll(List.of("/bin/sh", "-c", "exec \"$@\"", "sh"));
    command.addAll(words);
    return new Revisions.Foreign(trial, settings.read(BUILD), shown, command);
  }

  private Revisions.What workload(Child child, WorkloadKind kind, String metric) {
    for (Setting<?> each : List.of(BUILD, BETTER)) {
      if (settings.given(each)) {
        throw new Problem("%s does not go with a workload of ridgeline".formatted(each.name()));
      }
    }
    List<String> options = words.subList(1, words.size());
    return new Revisions.OfRidgeline(
        new WorkloadTrial(child, kind, metric, options), Program.here().withoutCache());
  }

  private Progress progress() {
    PrintWriter err = spec.commandLine().getErr();
    return Terminal.detect().errors() ? Progress.on(err) : Progress.silent();
  }

  private record Watching(Progress progress) implements Search.Watcher {
    @Override
    public void prepares(Commit commit) {
      progress.step("building " + commit.title());
    }

    @Override
    public void begins(String what, Session session, Arm arm) {
      progress.step(what + " · " + ExperimentText.progress(session, arm));
    }

    @Override
    public void round(int step, int steps, int suspects, Commit commit, int rounds, double sure) {
      progress.step(BisectionText.progress(step, steps, suspects, commit, rounds, sure));
    }
  }

  private List<String> typed() {
    return Stream.concat(
            Stream.of("ridgeline"),
            spec.root().commandLine().getParseResult().originalArgs().stream())
        .toList();
  }

  private RunDirectory keep(Bisection it, RunDraft draft) {
    draft.write(BisectionJson.FILE, out -> BisectionJson.write(it, out));
    draft.write(Document.PAGE, out -> HtmlPage.write(BisectionDocument.of(it), out));
    keep(BisectionJson.ENDS, it.ends(), draft);
    if (it.confirmation() != null) keep(BisectionJson.CONFIRMATION, it.confirmation(), draft);
    draft.write(run(it));
    return draft.commit();
  }

  /** A session of two commits, as {@code ab} keeps its own. */
  private static void keep(String name, Experiment it, RunDraft draft) {
    try {
      Files.createDirectories(draft.path().resolve(name));
    } catch (IOException e) {
      throw Problem.of(e);
    }
    draft.write(name + "/" + ExperimentJson.FILE, out -> ExperimentJson.write(it, out));
    draft.write(name + "/" + Document.PAGE, out -> HtmlPage.write(ExperimentDocument.of(it), out));
  }

  /** What makes the record a run like others. */
  private Run run(Bisection it) {
    Map<String, String> what = new LinkedHashMap<>();
    what.put("measured", it.setting().measured());
    what.put("good", it.question().good().title());
    what.put("bad", it.question().bad().title());
    var deciding = it.evidence().deciding();
    return new Run(
        "bisect",
        BisectionText.headline(it),
        it.setting().started(),
        it.setting().command(),
        settings.asOptions(),
        Machine.here(),
        it.question().bad().name(),
        what,
        Map.of(),
        "",
        List.of(
            Metric.of(
                "before: " + deciding.metric(), deciding.unit(), deciding.better(), deciding.a()),
            Metric.of(
                "after: " + deciding.metric(), deciding.unit(), deciding.better(), deciding.b())));
  }

  private void print(Bisection it, RunDirectory record, boolean json) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        BisectionJson.write(it, bytes);
      } catch (IOException e) {
        throw Problem.of(e);
      }
      out.println(bytes.toString(StandardCharsets.UTF_8).stripTrailing());
    } else {
      Document document =
          BisectionDocument.of(it).keptIn(record.path().toString(), BisectionJson.FILE);
      ConsoleText.lines(document).forEach(out::println);
    }
    out.flush();
  }
}
