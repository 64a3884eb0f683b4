package dev.ridgeline.cli.tune;

import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.lab.process.Child;
import dev.ridgeline.lab.process.Program;
import dev.ridgeline.lab.tune.Decision;
import dev.ridgeline.lab.tune.Tuner;
import dev.ridgeline.tensor.tune.TilingTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code tune} command. */
@Command(
    name = "tune",
    description = {
      "Tries other tiles, blocks and thresholds on this machine, and keeps those that are faster.",
      "Results do not change by a bit; the defaults are good without it."
    },
    sortOptions = false,
    footer = {
      "",
      "A value is kept if two fresh processes find it faster by more than 2 %% for sure. What is",
      "kept is read by every later run of this machine, JVM and user; -Dridgeline.tiles=defaults",
      "in RIDGELINE_JVM_OPTS leaves it out once.",
      "",
      "Examples:",
      "  ridgeline tune                          usual shapes, a minute",
      "  ridgeline tune -m all-minilm-l6-v2      the shapes of a model, and --strategy auto",
      "  ridgeline tune -m stories15m --budget 5m --dry-run   look, and keep nothing",
      "  ridgeline tune --reset                  back to the defaults",
      "",
      "What each value measured, as a table and charts: ridgeline experiment tiles",
    })
public final class TuneCommand implements Callable<Integer> {
  private static final Setting<String> MODEL = ModelOptions.model(null);
  private static final Setting<String> BUDGET =
      Setting.text(
          "--budget TIME",
          "1m",
          "How long to measure, about: 90s, 5m. Below 30s it takes longer than said: each of some"
              + " ten choices needs a process or two of a second.");
  private static final Setting<Boolean> DRY_RUN =
      Setting.flag("--dry-run", "Measure and print, and keep nothing.");
  private static final Setting<Boolean> RESET =
      Setting.flag("--reset", "Forget what was tuned here, and measure nothing.");
  private static final Setting<Boolean> JSON = Setting.flag("--json", "Print JSON.");

  @Mixin
  private final Settings settings =
      new Settings(MODEL, BUDGET, DRY_RUN, RESET, JSON, ModelOptions.CACHE, ModelOptions.HUB);

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Path cache = ModelOptions.cache(settings).folder();
    PrintWriter out = spec.commandLine().getOut();
    if (settings.read(RESET)) {
      for (Setting<?> other : List.of(MODEL, BUDGET, DRY_RUN, JSON)) {
        if (settings.given(other)) throw new Problem("--reset takes no " + other.name());
      }
      Rehearsal.endsHere();
      out.println(
          Tuner.reset(cache)
              ? "forgotten: the defaults run from now on"
              : "nothing was tuned here");
      return 0;
    }
    double seconds = Amounts.seconds(BUDGET.name(), settings.read(BUDGET));
    boolean dry = settings.read(DRY_RUN);
    boolean json = settings.read(JSON);
    try (var progress = Progress.of(spec.commandLine().getErr());
        var child = new Child()) {
      TuneQuestion question = TuneQuestion.of(settings, settings.read(MODEL), progress);
      Rehearsal.endsHere();
      var blocks = new BlockProcess(child, Program.here(), question.modelOrNull());
      List<Decision> decisions =
          new Tuner(blocks::run, progress, System.nanoTime())
              .tune(question.tunables(), question.shapes(), seconds);
      TilingTable table = Tuner.table(decisions, question.of(), Tuner.kept(cache));
      Path file = dry ? null : Tuner.write(cache, table);
      progress.close();
      var answer = new TuneAnswer(question.of(), decisions, table, file);
      if (json) out.println(answer.json());
      else answer.print(out);
      return 0;
    }
  }
}
