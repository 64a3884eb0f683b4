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
      "With --kernel, the machine code that is assembled for this processor.",
      "With --jit, the machine code that the JIT made of a method while a command ran."
    },
    footer = {
      "  ridgeline inspect model.gguf             its largest tensors",
      "  ridgeline inspect model.gguf --top 999   all of them",
      "  ridgeline inspect model.gguf --json      everything, for a program",
      "  ridgeline inspect all-minilm-l6-v2       a model by its name",
      "  ridgeline inspect --kernel all           the kernels that are assembled here",
      "  ridgeline inspect --kernel softmax       the instructions of the one whose name begins so",
      "  ridgeline inspect --jit all -- op gelu   what the JIT made of the vector kernels that ran",
      "  ridgeline inspect --jit Activations::tail --against -XX:UseAVX=2 -- op gelu",
      "  ridgeline inspect --jit com.acme.Parser::next -- java -jar app.jar",
    })
public final class InspectCommand extends Subcommand {
  private static final Setting<Boolean> JSON = Setting.flag("--json", "Print JSON.");
  private static final Setting<Integer> TOP =
      Setting.number(
          "--top N", 15, "Number of tensors to show, largest first; JSON has all by default.");

  private static final Setting<String> KERNEL =
      Setting.text(
          "--kernel ID", "Show the instructions of an assembled kernel, or list all of them.");

  private static final Setting<String> JIT =
      Setting.text(
          "--jit METHOD",
          "Class or Class::method, of a vector kernel if it names no package; all: every such"
              + " kernel. What runs it follows --: a workload of profile, or java ….");

  private static final Setting<String> AGAINST =
      Setting.text(
          "--against FLAGS",
          "With --jit: run again with these flags of the JVM (again: with the same), and show how"
              + " the code differs.");

  public InspectCommand() {
    super(JSON, TOP, KERNEL, JIT, AGAINST, ModelOptions.CACHE, ModelOptions.HUB);
  }

  @Parameters(
      paramLabel = "MODEL",
      arity = "0..*",
      description = "A GGUF file, or a name; with --jit, the command.")
  private List<String> words = List.of();

  @Override
  public Integer call() {
    boolean json = settings.read(JSON);
    int top = settings.positive(TOP);
    PrintWriter out = out();
    if (settings.given(JIT)) {
      if (settings.given(KERNEL)) throw new Problem("--kernel: not with --jit");
      jit(json, out);
      return 0;
    }
    if (settings.given(AGAINST)) throw new Problem("--against: goes with --jit");
    if (words.size() > 1) throw new Problem("inspect: one model at a time, not " + words.get(1));
    String model = words.isEmpty() ? null : words.getFirst();
    if (settings.given(KERNEL)) {
      if (model != null || settings.given(TOP)) {
        throw new Problem("--kernel: shows no model, and takes no other option but --json");
      }
      AssembledCode.print(settings.read(KERNEL), json, out);
      return 0;
    }
    if (model == null) throw new Problem("no model: name one, or --kernel all");
    try (Gguf file = Gguf.open(file(model))) {
      if (json) {
        out.println(
            InspectJson.of(file, settings.given(TOP) ? largest(file, top) : file.tensors()));
      } else {
        new InspectText(out, Terminal.detect().columns()).print(file, largest(file, top));
      }
    }
    return 0;
  }

  private void jit(boolean json, PrintWriter out) {
    var code = new JitCode(settings.read(JIT), words, out);
    if (!settings.given(AGAINST)) {
      code.print(json);
      return;
    }
    if (json) throw new Problem("--against: prints no JSON; take that of each run");
    String flags = settings.read(AGAINST).strip();
    code.compare(flags.equals("again") ? List.of() : List.of(flags.split("\\s+")));
  }

  private Path file(String model) {
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
