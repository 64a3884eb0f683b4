package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Amounts;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.op.Op;
import dev.ridgeline.lab.answer.BoundAnswer;
import dev.ridgeline.lab.bound.Operation;
import dev.ridgeline.lab.bound.Part;
import dev.ridgeline.lab.sweep.Aim;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code experiment memory-vs-compute}: what an operation waits for. */
@Command(
    name = "memory-vs-compute",
    description =
        "Whether an operation waits for memory or for arithmetic: reading its bytes alone, its"
            + " arithmetic alone on data in the nearest cache, and all of it, in turns.",
    sortOptions = false,
    footer = {
      "",
      "Reading alone takes about as long as all of it: memory-bound. Arithmetic alone does:",
      "compute-bound. Both added up do: they do not overlap. About is --margin, for the whole",
      "interval of the ratio; what lies across it is not decided. It ends before --budget where",
      "ratios are known to within a quarter of the margin, or half of --threshold if given.",
      "",
      "Examples:",
      "  ridgeline experiment memory-vs-compute                     a token's product, from memory",
      "  ridgeline experiment memory-vs-compute matmul --shape 512x512x512 --type f32",
      "  ridgeline experiment memory-vs-compute matmul --shape 8x2048x5632 --type q4_k --from"
          + " memory",
      "  ridgeline experiment memory-vs-compute gelu --shape 4096x4096",
    })
final class MemoryVsComputeCommand implements Callable<Integer> {
  private static final Setting<String> MARGIN =
      Setting.text("--margin PERCENT", "25%", "Times that differ by less are about the same.");
  private static final Setting<String> BUDGET = Laboratory.budget("3m");

  /** Enough for many stretches; what differs is one process from the next, so many are better. */
  private static final String TRIAL_SECONDS = "0.3";

  @Mixin
  private final Settings settings =
      new Settings(
          Laboratory.settings(BUDGET, Op.SHAPE, Op.TYPE, Op.FROM, ModelOptions.WORKERS, MARGIN));

  @Parameters(
      arity = "0..1",
      paramLabel = "OP",
      description = "matmul (the default), add, gelu, swiglu, layernorm or rmsnorm.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Operation operation = Op.operation(settings, words);
    int workers = ModelOptions.workers(settings);
    boolean beyond = Op.beyond(settings, operation, workers);
    double margin = Amounts.fraction(MARGIN.name(), settings.read(MARGIN));
    List<Attempt> attempts = new ArrayList<>();
    for (Part part : Part.values()) {
      List<String> start = new ArrayList<>(List.of("op", operation.kind().word()));
      start.addAll(List.of("--shape", operation.shape(), "--type", operation.type().word()));
      start.addAll(List.of("--from", beyond ? "memory" : "caches"));
      start.addAll(List.of("--part", part.name().toLowerCase(Locale.ROOT)));
      start.addAll(List.of("--workers", "" + workers, "--for", TRIAL_SECONDS));
      attempts.add(Attempt.of(part.word(), Map.of("part", part.word()), start));
    }
    String title =
        "%s, data from %s, by %s"
            .formatted(operation, beyond ? "memory" : "caches", Quantity.many(workers, "worker"));
    Plan plan =
        new Plan("memory-vs-compute", title, attempts, Part.FULL.word(), Op.TIME, Aim.PARTS);
    return new Laboratory(settings, spec, BUDGET)
        .with(Double.NaN, margin / 2)
        .run(plan, sweep -> new BoundAnswer(sweep, Op.TIME, margin).answer(operation, beyond));
  }
}
