package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.answer.AblationAnswer;
import dev.ridgeline.lab.answer.Switch;
import dev.ridgeline.lab.sweep.Aim;
import dev.ridgeline.lab.sweep.Arm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code experiment ablation}: what each optimisation is worth. */
@Command(
    name = "ablation",
    description = "What each optimisation is worth: one after the other is switched off.",
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline experiment ablation",
      "  ridgeline experiment ablation -- generate -n 128",
      "  ridgeline experiment ablation --only kv-cache,fusion --budget 2m -- generate",
    })
final class AblationCommand implements Callable<Integer> {
  private static final Setting<String> ONLY =
      Setting.text(
          "--only LIST",
          "Of: "
              + Arrays.stream(Switch.values()).map(Switch::word).collect(Collectors.joining(", "))
              + " (default: all that the workload has).");
  private static final Setting<String> BUDGET = Laboratory.budget("5m");

  @Mixin private final Settings settings = new Settings(Laboratory.settings(BUDGET, ONLY));

  @Parameters(
      arity = "0..*",
      paramLabel = "WORKLOAD",
      description = "Behind --: embed (the default) or generate, with its options.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    String kind = words.isEmpty() ? "embed" : words.getFirst();
    if (!List.of("embed", "generate").contains(kind)) {
      throw new Problem("'%s': embed or generate have what can be switched off".formatted(kind));
    }
    List<String> workload = words.size() > 1 ? words : usual(kind);
    List<Attempt> attempts = new ArrayList<>();
    attempts.add(Attempt.of(AblationAnswer.ALL, Map.of(), workload));
    for (Switch each : switches(kind)) {
      List<String> with = new ArrayList<>(workload);
      with.addAll(each.options(kind));
      attempts.add(
          new Attempt(
              new Arm("without-" + each.word(), Map.of(AblationAnswer.WITHOUT, each.word())),
              new Start.Workload(with, each.jvm(kind))));
    }
    String title =
        "%s, with each of its optimisations left out".formatted(String.join(" ", workload));
    Plan plan =
        new Plan("ablation", title, attempts, AblationAnswer.ALL, null, Aim.EACH).distinctly();
    return new Laboratory(settings, spec, BUDGET)
        .run(plan, sweep -> new AblationAnswer(sweep).answer());
  }

  /** Short enough that plain loops come to an end, too. */
  private static List<String> usual(String kind) {
    return kind.equals("embed")
        ? List.of("embed", "--texts", "32", "--warm-up", "3")
        : List.of("generate", "-n", "64", "--warm-up", "3");
  }

  private List<Switch> switches(String kind) {
    List<Switch> all = Switch.of(kind);
    String given = settings.read(ONLY);
    if (given == null) return all;
    List<Switch> some = new ArrayList<>();
    for (String word : given.split(",")) {
      Switch found =
          all.stream().filter(each -> each.word().equals(word.strip())).findFirst().orElse(null);
      if (found == null) {
        String known = all.stream().map(Switch::word).collect(Collectors.joining(", "));
        throw new Problem("--only %s: %s has %s".formatted(word.strip(), kind, known));
      }
      if (!some.contains(found)) some.add(found);
    }
    return some;
  }
}
