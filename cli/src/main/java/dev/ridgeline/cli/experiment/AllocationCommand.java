package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.answer.AllocationAnswer;
import dev.ridgeline.lab.sweep.Aim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code experiment allocation}: what a unit of work allocates, and whether anything stays. */
@Command(
    name = "allocation",
    description = "What a text allocates by scope, and whether memory grows: leak or steady state.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline experiment allocation",
      "  ridgeline experiment allocation --budget 3m -- embed --texts 64 --iterations 40",
    })
final class AllocationCommand implements Callable<Integer> {

  private static final Setting<String> BUDGET = Laboratory.budget("2m");

  @Mixin private final Settings settings = new Settings(Laboratory.settings(BUDGET));

  @Parameters(
      arity = "0..*",
      paramLabel = "WORKLOAD",
      description = "Behind --: embed, with its options.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (!words.isEmpty() && !words.getFirst().equals("embed")) {
      throw new Problem("'%s': embed tells its memory".formatted(words.getFirst()));
    }
    List<String> workload =
        new ArrayList<>(words.size() > 1 ? words : List.of("embed", "--texts", "32"));
    if (!workload.contains("--iterations")) workload.addAll(List.of("--iterations", "24"));
    workload.add("--memory");
    Plan plan =
        new Plan(
            "allocation",
            "what %s allocates and keeps".formatted(String.join(" ", workload)),
            List.of(Attempt.of(AllocationAnswer.ARM, Map.of(), workload)),
            AllocationAnswer.ARM,
            AllocationAnswer.PER_TEXT,
            Aim.EACH);
    return new Laboratory(settings, spec, BUDGET)
        .run(plan, sweep -> new AllocationAnswer(sweep.outcome()).answer());
  }
}
