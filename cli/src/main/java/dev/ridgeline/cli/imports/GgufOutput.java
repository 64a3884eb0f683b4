package dev.ridgeline.cli.imports;

import dev.ridgeline.cli.line.OutputFile;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.quant.FileType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The GGUF file that a command makes: its options, its checks, and the line that tells of it. */
public record GgufOutput(Path path, TensorType type) {
  /** The option for the type of matrices. */
  public static Setting<String> type(String preset) {
    return Setting.text("--type T", preset, "How matrices are stored: " + words() + ".");
  }

  /** Checks what was asked for before any work is done. */
  public static GgufOutput of(Path out, Settings settings, Setting<String> typeSetting) {
    TensorType type = typeOf(settings.read(typeSetting));
    // So that no slip of the hand writes over the model that is read.
    if (!out.toString().toLowerCase(Locale.ROOT).endsWith(".gguf")) {
      throw new Problem(out + ": the name of a GGUF file ends in .gguf");
    }
    if (Files.isDirectory(out)) throw new Problem(out + ": is a folder");
    OutputFile.refuseToReplace(out, settings);
    return new GgufOutput(out, type);
  }

  private static TensorType typeOf(String word) {
    for (TensorType type : TensorType.values()) {
      if (type == TensorType.I32 || !type.writable()) continue;
      if (type.word().equalsIgnoreCase(word) || mix(type).equalsIgnoreCase(word)) return type;
    }
    throw new Problem(
        FileType.onlyRead(word)
            ? "--type '%s': can be read but not written; choose one of %s".formatted(word, words())
            : "--type '%s': choose one of %s".formatted(word, words()));
  }

  private static String words() {
    return Arrays.stream(TensorType.values())
        .filter(type -> type != TensorType.I32 && type.writable())
        .map(GgufOutput::mix)
        .collect(Collectors.joining(", "));
  }

  /** What a file of mostly that type is called, here as in {@code quantize}: {@code q4_k_m}. */
  private static String mix(TensorType type) {
    return FileType.of(type).word();
  }

  /** Runs what writes the file, showing its steps where somebody looks. */
  public void write(PrintWriter err, Consumer<Consumer<String>> writing) {
    boolean seen = Terminal.detect().errors();
    try (Progress progress = seen ? Progress.on(err) : Progress.silent()) {
      writing.accept(progress::step);
    }
  }

  /** What was made, in a line. */
  public String told(String name, String architecture) throws IOException {
    return "%s: %s, %s, %s, %s"
        .formatted(path, name, architecture, mix(type), Quantity.bytes(Files.size(path)));
  }
}
