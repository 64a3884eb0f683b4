package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Standings;
import dev.ridgeline.lab.sweep.Sweep;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code experiment run}: arms that a file tells, over any command. */
@Command(
    name = "run",
    description = "Your own: arms and parameters from a JSON file, over any command.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline experiment run --example > mine.json      something to begin with",
      "  ridgeline experiment run mine.json --dry-run        which arms there are, and how they"
          + " run",
      "  ridgeline experiment run mine.json --budget 5m",
    })
final class RunCommand implements Callable<Integer> {
  private static final Setting<Boolean> DRY =
      Setting.flag("--dry-run", "Check the file and print its arms with their commands.");
  private static final Setting<Boolean> EXAMPLE =
      Setting.flag("--example", "Print a file to begin with.");
  private static final Setting<String> BUDGET = Laboratory.budget("3m");

  @Mixin private final Settings settings = new Settings(Laboratory.settings(BUDGET, DRY, EXAMPLE));

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "What to hold against what.")
  private Path file;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (settings.read(EXAMPLE)) {
      try (InputStream example = RunCommand.class.getResourceAsStream("example.json")) {
        out.print(new String(example.readAllBytes(), StandardCharsets.UTF_8));
      }
      out.flush();
      return 0;
    }
    if (file == null) throw new Problem("which file? --example prints one to begin with");
    ExperimentFile.Asked asked = ExperimentFile.read(file);
    if (settings.read(DRY)) {
      print(asked.plan(), out);
      return 0;
    }
    return new Laboratory(settings, spec, BUDGET)
        .with(asked.budgetSeconds(), asked.threshold())
        .run(asked.plan(), RunCommand::conclude);
  }

  private static Answer conclude(Sweep sweep) {
    return Standings.of(
        sweep.outcome(), sweep.metric(), sweep.winner(), sweep.question().threshold());
  }

  private static void print(Plan plan, PrintWriter out) {
    out.println(
        "%s: %s, nothing was run"
            .formatted(plan.name(), Quantity.many(plan.attempts().size(), "arm")));
    int width = 0;
    for (Attempt each : plan.attempts()) width = Math.max(width, each.arm().name().length());
    for (Attempt each : plan.attempts()) {
      String name = each.arm().name();
      String reference = name.equals(plan.reference()) ? "   (the reference)" : "";
      out.println(
          "  %s  %s%s"
              .formatted(
                  name + " ".repeat(width - name.length()),
                  Text.clean(shown(each.start())),
                  reference));
    }
    out.flush();
  }

  private static String shown(Start start) {
    StringBuilder shown = new StringBuilder();
    new TreeMap<>(start.environment())
        .forEach((name, value) -> shown.append(name).append('=').append(value).append(' '));
    switch (start) {
      case Start.Shell it -> shown.append(it.line());
      case Start.Workload it -> {
        shown.append("ridgeline profile ").append(String.join(" ", it.words()));
        if (!it.jvm().isEmpty()) shown.append("   JVM: ").append(String.join(" ", it.jvm()));
      }
    }
    return shown.toString();
  }
}
