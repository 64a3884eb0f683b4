package dev.ridgeline.cli.quantize;

import dev.ridgeline.cli.line.OutputFile;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufSummary;
import dev.ridgeline.tensor.quant.FileType;
import dev.ridgeline.tensor.quant.Requantizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code quantize} command. */
@Command(
    name = "quantize",
    description = "Makes a model file of another type; the tensors are those llama.cpp would make.",
    footer = {
      "  ridgeline quantize model-f32.gguf model-q8_0.gguf --type q8_0",
      "  ridgeline quantize model-f16.gguf small.gguf --type q4_k_m",
      "  ridgeline quantize bge-small-en-v1.5:f32 bge.gguf --type q5_1",
    })
public final class QuantizeCommand extends Subcommand {
  private static final Setting<String> TYPE =
      Setting.text("--type TYPE", "q8_0", "One of " + FileType.words() + ".");
  private static final Setting<Integer> WORKERS =
      Setting.number("--workers N", Workers.cpus(), "Threads.");

  public QuantizeCommand() {
    super(TYPE, WORKERS, OutputFile.FORCE, ModelOptions.CACHE, ModelOptions.HUB);
  }

  @Parameters(index = "0", paramLabel = "IN", description = "A GGUF file, or a name.")
  private String model;

  @Parameters(index = "1", paramLabel = "OUT", description = "The file to write.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    FileType type = type();
    Workers workers = workers();
    Path in = in();
    try (Gguf file = Gguf.open(in);
        Progress progress = progress()) {
      if (Files.exists(out) && Files.isSameFile(in, out)) {
        throw new Problem(out + ": is the input, too");
      }
      OutputFile.refuseToReplace(out, settings);
      GgufSummary before = GgufSummary.of(file);
      warn(file, type);
      Rehearsal.endsHere();
      Requantizer.quantize(file, type, out, workers, step -> show(progress, step));
      progress.close();
      tell(before, type);
    }
    return 0;
  }

  private Path in() {
    try (Progress progress = progress()) {
      return ModelOptions.file(settings, model, progress);
    }
  }

  private FileType type() {
    try {
      return FileType.of(settings.read(TYPE));
    } catch (IllegalArgumentException e) {
      throw new Problem("--type " + e.getMessage(), e);
    }
  }

  private Workers workers() {
    int count = settings.positive(WORKERS);
    try {
      return Workers.of(count);
    } catch (IllegalArgumentException e) {
      throw new Problem("--workers: " + e.getMessage(), e);
    }
  }

  private static void show(Progress progress, Requantizer.Step step) {
    String what =
        "%s %s → %s".formatted(step.tensor().name(), step.tensor().type().word(), step.to().word());
    progress.step("quantizing", step.index() + 1, step.count(), what);
  }

  /** What was rounded once is rounded again. */
  private void warn(Gguf file, FileType type) {
    long again =
        Requantizer.plan(file, type).stream()
            .filter(s -> s.tensor().type().quantized() && s.tensor().type() != s.to())
            .count();
    if (again == 0) return;
    tell(
        "%s already quantized; the unquantized model would give a better file"
            .formatted(again == 1 ? "1 tensor is" : Quantity.count(again) + " tensors are"));
  }

  private void tell(GgufSummary before, FileType type) {
    try (Gguf file = Gguf.open(out)) {
      GgufSummary after = GgufSummary.of(file);
      String types =
          after.types().stream()
              .map(t -> t.type().word() + " × " + Quantity.count(t.tensors()))
              .collect(Collectors.joining(", "));
      out()
          .printf(
              "%s: %s, %s (was %s), %s bits a number; %s%n",
              out,
              type.word(),
              Quantity.bytes(after.fileBytes()),
              Quantity.bytes(before.fileBytes()),
              Quantity.number(after.bitsPerNumber()),
              types);
    }
  }
}
