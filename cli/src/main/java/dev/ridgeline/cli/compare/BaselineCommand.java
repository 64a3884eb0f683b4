package dev.ridgeline.cli.compare;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.lab.history.Baselines;
import dev.ridgeline.lab.history.History;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.PrintWriter;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code baseline} command. */
@Command(
    name = "baseline",
    description = "Gives runs a name to compare others with; without words, lists the names.",
    footer = {
      "  ridgeline baseline set main last             the newest run is 'main' from now on",
      "  ridgeline compare main last                  what changed since",
      "  ridgeline baseline                           the names there are",
      "  ridgeline baseline remove main",
    })
public final class BaselineCommand extends Subcommand {
  public BaselineCommand() {
    super(RunOptions.RUNS);
  }

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "set|remove|list",
      description = "What to do (default: list).")
  private String what;

  @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "A name.")
  private String name;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "RUN",
      description =
          "Path, name, beginning of a name, 'last' (default), or 'last~1' for the one before.")
  private String run;

  @Override
  public Integer call() {
    Runs runs = RunOptions.runs(settings);
    Baselines baselines = Baselines.of(runs);
    PrintWriter out = out();
    switch (what == null ? "list" : what) {
      case "list" -> list(runs, baselines, out);
      case "set" -> {
        RunDirectory found = runs.find(run == null ? "last" : run, History::isComparable);
        refuseExperiment(found);
        String chosen = required("set");
        Rehearsal.endsHere();
        baselines.set(chosen, found);
        out.println(name + " is " + found.name());
      }
      case "remove" -> {
        if (run != null) throw new Problem("baseline remove takes one name");
        String chosen = required("remove");
        Rehearsal.endsHere();
        if (!baselines.remove(chosen)) {
          throw new Problem("there is no baseline '" + name + "'");
        }
        out.println(name + " is no longer a baseline; the runs are still there");
      }
      default -> throw new Problem("baseline " + what + ": set, remove or list");
    }
    return 0;
  }

  /** Nothing can be compared with one, so that the name would be of no use. */
  private static void refuseExperiment(RunDirectory found) {
    if (!History.compares(found.run())) return;
    throw new Problem(found.name() + " is an experiment: nothing can be compared with it");
  }

  private String required(String verb) {
    if (name == null) throw new Problem("baseline " + verb + ": which name?");
    return name;
  }

  private void list(Runs runs, Baselines baselines, PrintWriter out) {
    if (name != null) throw new Problem("baseline list takes no name");
    Map<String, RunDirectory> all = baselines.list();
    if (all.isEmpty()) {
      boolean any = !runs.list().isEmpty();
      out.println(
          "no baselines yet; make "
              + (any
                  ? "one: ridgeline baseline set main last" + settings.again(RunOptions.RUNS)
                  : "a run first: ridgeline profile"));
    }
    all.forEach(
        (each, directory) -> {
          try {
            out.println(
                "%s  %s  %s"
                    .formatted(
                        each,
                        directory.run().started().truncatedTo(ChronoUnit.SECONDS),
                        directory.run().title()));
          } catch (FileException e) {
            out.println(each + "  unreadable: " + e.getMessage());
          }
        });
  }
}
