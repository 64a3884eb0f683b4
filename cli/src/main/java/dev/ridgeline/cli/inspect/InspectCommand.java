package dev.ridgeline.cli.inspect;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code inspect} command. */
@Command(
    name = "inspect",
    description = {
      "Shows what a model file holds: metadata, types, tensors, memory.",
      "With --kernel, the machine code that is assembled for this processor."
    },
    footer = {
      "  ridgeline inspect model.gguf             its largest tensors",
      "  ridgeline inspect model.gguf --top 999   all of them",
      "  ridgeline inspect model.gguf --json      everything, for a program",
      "  ridgeline inspect all-minilm-l6-v2       a model by its name",
      "  ridgeline inspect --kernel all           the kernels that are assembled here",
      "  ridgeline inspect --kernel softmax       the instructions of the one whose name begins so",
    })
public final class InspectCommand extends Subcommand {
  private static final Setting<Boolean> JSON = Setting.flag("--json", "Print JSON.");
  private static final Setting<Integer> TOP =
      Setting.number(
          "--top N", 15, "Number of tensors to show, largest first; JSON has all by default.");

  private static final Setting<String> KERNEL =
      Setting.text(
          "--kernel ID", "Show the instructions of an assembled kernel, or list all of them.");

  public InspectCommand() {
    super(JSON, TOP, KERNEL, ModelOptions.CACHE, ModelOptions.HUB);
  }

  @Parameters(paramLabel = "MODEL", arity = "0..1", description = "A GGUF file, or a name.")
  private String model;

  @Override
  public Integer call() {
    boolean json = settings.read(JSON);
    int top = settings.positive(TOP);
    PrintWriter out = out();
    if (settings.given(KERNEL)) {
      if (model != null || settings.given(TOP)) {
        throw new Problem("--kernel: shows no model, and takes no other option but --json");
      }
      AssembledCode.print(settings.read(KERNEL), json, out);
      return 0;
    }
    if (model == null) throw new Problem("no model: name one, or --kernel all");
    try (Gguf file = Gguf.open(file())) {
      if (json) {
        out.println(
            InspectJson.of(file, settings.given(TOP) ? largest(file, top) : file.tensors()));
      } else {
        new InspectText(out, Terminal.detect().columns()).print(file, largest(file, top));
      }
    }
    return 0;
  }

  private Path file() {
    try (Progress progress = progress()) {
      return ModelOptions.file(settings, model, progress);
    }
  }

  private static List<GgufTensor> largest(Gguf file, int top) {
    return file.tensors().stream()
        .sorted(Comparator.comparingLong((GgufTensor t) -> t.data().byteSize()).reversed())
        .limit(top)
        .toList();
  }
}
