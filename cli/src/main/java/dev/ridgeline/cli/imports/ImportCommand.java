package dev.ridgeline.cli.imports;

import dev.ridgeline.cli.line.OutputFile;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.model.imports.ModelImport;
import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.Pooling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code import} command. */
@Command(
    name = "import",
    description = {
      "Turns a model in another format into GGUF: a Hugging Face folder (bert, EmbeddingGemma;"
          + " llama, mistral, qwen2, qwen3, gemma3, gpt2), an ONNX encoder of the BERT family with"
          + " its tokenizer.json, or a .bin of llama2.c with its tokenizer.bin.",
      "Without OUT, makes runs of the JSON that llama-bench, JMH or hyperfine wrote."
    },
    footer = {
      "  ridgeline import all-MiniLM-L6-v2/ minilm.gguf         a Hugging Face folder, as f32",
      "  ridgeline import model.onnx bge.gguf --type q8_0 --pooling cls",
      "  ridgeline import all-minilm-l6-v2.onnx minilm.gguf     with …-tokenizer.json next to it",
      "  ridgeline import stories15M.bin stories.gguf --tokenizer tokenizer.bin",
      "  ridgeline import bench.json       measurements of llama-bench -o json, JMH -rf json or",
      "                                    hyperfine --export-json, as runs next to ours",
    })
public final class ImportCommand extends Subcommand {
  private static final Setting<String> TYPE = GgufOutput.type("f32");
  private static final Setting<String> NAME =
      Setting.text("--name NAME", "What the model is called (default: its files' name).");
  private static final Setting<Pooling> POOLING =
      Setting.choice(
          "--pooling P",
          Pooling.class,
          "mean, cls or last (default: what the model's files say, else what its family uses).");
  private static final Setting<Integer> HEADS =
      Setting.number("--heads N", 0, "Heads of attention, where no file says; 0 finds out.");
  private static final Setting<Path> TOKENIZER =
      Setting.path("--tokenizer FILE", "tokenizer.json or .bin, where it is not next to IN.");

  public ImportCommand() {
    super(TYPE, NAME, POOLING, HEADS, TOKENIZER, OutputFile.FORCE, RunOptions.RUNS);
  }

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "Folder, .onnx, .safetensors or .bin; or .json of measurements.")
  private Path in;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "OUT",
      description = "The .gguf to write, of a model.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    if (out == null) measurements();
    else model();
    tellOfUnread();
    return 0;
  }

  private void measurements() {
    String name = in.getFileName() == null ? "" : in.getFileName().toString();
    if (Files.isDirectory(in) || name.matches("(?i).*\\.(onnx|safetensors|bin|gguf)")) {
      throw new Problem("OUT is missing: the .gguf to write");
    }
    ForeignRuns.add(in, RunOptions.runs(settings), out());
  }

  private void model() throws IOException {
    GgufOutput output = GgufOutput.of(out, settings, TYPE);
    int heads = settings.read(HEADS);
    if (heads < 0) throw new Problem("--heads '" + heads + "': is negative");
    String name = settings.read(NAME);
    if (name != null && name.chars().anyMatch(Character::isISOControl)) {
      throw new Problem("--name: no line ends or other control characters");
    }
    Options options = new Options(name, settings.read(POOLING), heads, settings.read(TOKENIZER));
    var err = err();
    try (ModelImport model = ModelImport.open(in, options)) {
      for (String note : model.notes()) err.println("ridgeline: " + note);
      String substitutes = model.substitutes(output.type());
      if (substitutes != null) err.println("ridgeline: " + substitutes);
      Rehearsal.endsHere();
      output.write(err, steps -> model.write(output.path(), output.type(), steps));
      out().println(output.told(model.name(), model.architecture().word()));
    }
  }
}
