package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.answer.ScalingAnswer;
import dev.ridgeline.lab.sweep.Aim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code experiment scaling}: what more workers are worth. */
@Command(
    name = "scaling",
    description = "How speed grows with workers: speed-up, efficiency, serial fraction.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline experiment scaling",
      "  ridgeline experiment scaling --workers 1,2,4,8,16 -- embed --texts 256",
      "  ridgeline experiment scaling --budget 10m -- generate -m stories15m",
      "  ridgeline experiment scaling -- kernels",
    })
final class ScalingCommand implements Callable<Integer> {
  /** What is spread over workers there is one product. */
  private static final String KERNELS = "kernels";

  private static final String PARALLEL = "matmul 512 parallel";

  private static final Setting<String> WORKERS =
      Setting.text("--workers LIST", "Numbers of workers (default: 1, 2, 4 … all processors).");
  private static final Setting<String> METRIC =
      Setting.text("--metric NAME", "What decides (default: the workload's first).");
  private static final Setting<String> BUDGET = Laboratory.budget("3m");

  @Mixin
  private final Settings settings = new Settings(Laboratory.settings(BUDGET, WORKERS, METRIC));

  @Parameters(
      arity = "0..*",
      paramLabel = "WORKLOAD",
      description = "Behind --: embed (the default), generate or kernels, with its options.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    List<String> workload = words.isEmpty() ? List.of("embed", "--texts", "256") : words;
    boolean kernels = workload.getFirst().equals(KERNELS);
    String metric = settings.read(METRIC);
    if (metric == null && kernels) metric = PARALLEL;
    List<Attempt> attempts = new ArrayList<>();
    TreeSet<Integer> counts = workers();
    for (int workers : counts) {
      List<String> with = new ArrayList<>(workload);
      if (kernels && workload.size() == 1) with.addAll(List.of("--filter", PARALLEL));
      with.addAll(List.of("--workers", "" + workers));
      attempts.add(
          Attempt.of("workers-" + workers, Map.of(ScalingAnswer.WORKERS, "" + workers), with));
    }
    String numbers = counts.stream().map(String::valueOf).collect(Collectors.joining(", "));
    String title = "%s with %s workers".formatted(String.join(" ", workload), numbers);
    Plan plan =
        new Plan("scaling", title, attempts, attempts.getFirst().arm().name(), metric, Aim.EACH);
    return new Laboratory(settings, spec, BUDGET)
        .run(plan, sweep -> new ScalingAnswer(sweep.outcome(), sweep.metric()).answer());
  }

  private TreeSet<Integer> workers() {
    String given = settings.read(WORKERS);
    if (given != null) return Amounts.counts(WORKERS.name(), given);
    TreeSet<Integer> all = new TreeSet<>();
    int most = Runtime.getRuntime().availableProcessors();
    for (int n = 1; n < most; n *= 2) all.add(n);
    all.add(most);
    return all;
  }
}
