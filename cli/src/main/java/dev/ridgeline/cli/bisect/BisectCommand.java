package dev.ridgeline.cli.bisect;

import dev.ridgeline.cli.ab.Measuring;
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
import dev.ridgeline.lab.bisect.Bisection;
import dev.ridgeline.lab.bisect.BisectionDocument;
import dev.ridgeline.lab.bisect.BisectionJson;
import dev.ridgeline.lab.bisect.BisectionText;
import dev.ridgeline.lab.bisect.Commit;
import dev.ridgeline.lab.bisect.Search;
import dev.ridgeline.lab.bisect.Trials.Unusable;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.process.Child;
import dev.ridgeline.lab.process.CommandTrial;
import dev.ridgeline.lab.process.Program;
import dev.ridgeline.lab.process.WorkloadTrial;
import dev.ridgeline.lab.process.Worktrees;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.ExperimentDocument;
import dev.ridgeline.lab.trial.ExperimentJson;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.lab.trial.Host;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.lab.trial.Session;
import dev.ridgeline.profiler.file.Interruption;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
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
  private static final Setting<String> BUDGET =
      Measuring.budget("10m", "How long all trials may take; building comes on top.");
  private static final Setting<String> THRESHOLD =
      Measuring.threshold("The smallest difference that matters.");
  private static final Setting<Boolean> JSON = Measuring.json(BisectionJson.FILE);

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
          Measuring.BETTER,
          BUDGET,
          THRESHOLD,
          Measuring.SEED,
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
    Measuring measuring = new Measuring(settings, spec, JSON, false);
    long seed = measuring.seed();
    Path folder = settings.read(REPO).toAbsolutePath().normalize();
    if (!Files.isDirectory(folder)) throw new Problem("--repo %s: no folder".formatted(folder));
    Instant started = Instant.now();
    Child child = new Child();
    Interrupt interrupt = Measuring.stops(child);
    try (Progress progress = measuring.progress();
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
      Revisions.Builder builder =
          kind == null ? foreign(child, trees, shown) : workload(child, trees, kind, metric);
      Rehearsal.endsHere();
      Search search =
          new Search(
              new Bisection.Setting(started, measuring.typed(), folder.toString(), shown),
              new Search.Question(good, bad, threshold, budget, seed, metric),
              repository,
              new Revisions(draft.path(), builder),
              new Watching(progress),
              Host.HERE);
      Bisection bisection = search.run();
      RunDirectory record = keep(bisection, draft, measuring);
      progress.close();
      measuring.print(
          BisectionDocument.of(bisection),
          record,
          BisectionJson.FILE,
          out -> BisectionJson.write(bisection, out));
      if (interrupt.code() != 0) return interrupt.code();
      return bisection.answer() == Bisection.Answer.FOUND ? 0 : ExitCode.BAD_ANSWER;
    } catch (Unusable e) {
      throw new Problem("%s: %s".formatted(e.commit().name(), e.getMessage()), e);
    } catch (Stopped _) {
      return measuring.stopped(interrupt, "anything was known");
    }
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

  private Revisions.Builder foreign(Child child, Worktrees trees, String shown) {
    Better better = Measuring.better(settings);
    Pattern metric = CommandTrial.pattern(settings.read(METRIC));
    String build = settings.read(BUILD);
    List<String> command = new ArrayList<>();
    // By a shell, which looks for ./program where it runs, not where we do.
    if (words.isEmpty()) command.addAll(CommandTrial.shell(shown));
    else command.addAll(List.of("/bin/sh", "-c", "exec \"$@\"", "sh"));
    command.addAll(words);
    return hash -> {
      Path tree = trees.tree(hash);
      if (build != null) trees.build(hash, build);
      return new CommandTrial(child, shown, command, tree, metric, better, false);
    };
  }

  private Revisions.Builder workload(
      Child child, Worktrees trees, WorkloadKind kind, String metric) {
    for (Setting<?> each : List.of(BUILD, Measuring.BETTER)) {
      if (settings.given(each)) {
        throw new Problem("%s does not go with a workload of ridgeline".formatted(each.name()));
      }
    }
    String length = Measuring.length(kind, words);
    return hash -> {
      Program then = Program.here().withoutCache().withJar(trees.jar(hash));
      return new WorkloadTrial(child, then, words, length, metric);
    };
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

  private static RunDirectory keep(Bisection it, RunDraft draft, Measuring measuring) {
    draft.write(BisectionJson.FILE, out -> BisectionJson.write(it, out));
    draft.write(Document.PAGE, out -> HtmlPage.write(BisectionDocument.of(it), out));
    keep(BisectionJson.ENDS, it.ends(), draft);
    if (it.confirmation() != null) keep(BisectionJson.CONFIRMATION, it.confirmation(), draft);
    draft.write(run(it, measuring));
    return draft.commit();
  }

  /** A session of two commits, as {@code ab} keeps its own. */
  private static void keep(String name, Experiment it, RunDraft draft) {
    Path folder = draft.path().resolve(name);
    WholeFile.writeInFolder(
        folder.resolve(ExperimentJson.FILE), out -> ExperimentJson.write(it, out));
    WholeFile.write(
        folder.resolve(Document.PAGE), out -> HtmlPage.write(ExperimentDocument.of(it), out));
  }

  /** What makes the record a run like others. */
  private static Run run(Bisection it, Measuring measuring) {
    Map<String, String> what = new LinkedHashMap<>();
    what.put("measured", it.setting().measured());
    what.put("good", it.question().good().title());
    what.put("bad", it.question().bad().title());
    return measuring.run(
        "bisect",
        BisectionText.headline(it),
        it.setting().started(),
        it.question().bad().name(),
        what,
        Measuring.metrics(it.evidence(), "before", "after"));
  }
}
