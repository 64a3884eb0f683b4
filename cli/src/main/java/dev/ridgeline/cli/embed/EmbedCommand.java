package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.OutputFile;
import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import dev.ridgeline.cli.Terminal;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.profile.AsProfile;
import dev.ridgeline.cli.profile.Progress;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.texts.HeldTexts;
import dev.ridgeline.cli.texts.Texts;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Use;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.WholeFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code embed} command. */
@Command(
    name = "embed",
    description = {
      "Makes a vector of each text, of length 1, in the order of the texts.",
      "Texts come as arguments, from --input, or from standard input."
    },
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline embed 'Where does the time go?'",
      "  ridgeline embed --similarity 'fast models' 'quick networks' 'a recipe for bread'",
      "  ridgeline embed --input notes.txt --format npy -o notes.npy",
      "  ridgeline embed -m e5-small-v2 --task query 'how tall is the tower'",
      "  ridgeline embed -m bge-small-en-v1.5:f32 --input docs.jsonl --field text --format jsonl",
      "  cat notes.txt | ridgeline embed --format csv",
      "  ridgeline embed --input notes.txt --profile      the same as: profile embed …",
    })
public final class EmbedCommand implements Callable<Integer> {
  /** Between two lines of progress where nobody looks. */
  private static final long LINE_NANOS = 10_000_000_000L;

  private static final Setting<VectorFormat> FORMAT =
      Setting.choice(
          "--format", VectorFormat.class, "FORMAT", VectorFormat.JSON, "json, jsonl, csv or npy.");
  private static final Setting<Path> OUTPUT =
      Setting.path("--output", "FILE", null, "Where to (default: standard output, as -).")
          .orShort("-o");
  private static final Setting<Integer> ITERATIONS =
      Setting.number("--iterations", "N", 1, "Embed everything so many times; the last counts.");
  private static final Setting<Boolean> SIMILARITY =
      Setting.flag(
          "--similarity",
          "Print how close each text is to the first (cosine), closest first; with --task query the"
              + " others are documents.");
  private static final Setting<String> PROFILE = AsProfile.setting("embed");
  private static final Setting<Boolean> QUIET =
      Setting.flag("--quiet", "Errors alone: no progress, no rate, no word of what was skipped.");
  private static final Setting<Boolean> PROGRESS =
      Setting.flag("--progress", "A line each 10 s where standard error is no terminal.");

  @Mixin private final Settings settings = new Settings(settings());

  @Parameters(arity = "0..*", paramLabel = "TEXT", description = "Texts to embed.")
  private List<String> texts = List.of();

  @Spec private CommandSpec spec;

  private static Setting<?>[] settings() {
    List<Setting<?>> all = new ArrayList<>(EmbedSettings.ALL);
    all.addAll(List.of(FORMAT, OUTPUT, ITERATIONS, SIMILARITY, PROFILE, QUIET, PROGRESS));
    return all.toArray(Setting[]::new);
  }

  @Override
  public Integer call() {
    AsProfile.refuse(settings, PROFILE);
    EmbedderOptions options = EmbedSettings.options(settings);
    int iterations = RunOptions.positive(settings, ITERATIONS);
    boolean similarity = settings.read(SIMILARITY);
    boolean quiet = settings.read(QUIET);
    VectorFormat format = settings.read(FORMAT);
    for (Setting<?> other : List.of(FORMAT, OUTPUT, ITERATIONS)) {
      if (similarity && settings.given(other)) {
        throw new Problem("--similarity prints no vectors: leave %s out".formatted(other.name()));
      }
    }
    Path output = output();
    String name = settings.read(EmbedSettings.MODEL);
    PrintWriter err = spec.commandLine().getErr();
    OutputFile.refuseToReplace(settings.read(EmbedSettings.INPUT), output);
    try (Texts source = EmbedSettings.texts(settings, texts);
        Progress progress = progress(quiet)) {
      Path model = ModelOptions.file(settings, name, Use.EMBED, progress);
      OutputFile.refuseToReplace(model, output);
      progress.show("loading " + name);
      // Two prompts are a comparison's own work: an embedder puts the same before all texts.
      String task = similarity && options.prefix() == null ? options.task() : null;
      EmbedderOptions own = task == null ? options : options.withTask(null);
      try (Embedder embedder = Embedder.open(name, model, own)) {
        Conveyor conveyor = new Conveyor(embedder, progress);
        if (similarity) {
          Comparison comparison =
              task == null ? Comparison.plain(embedder) : Comparison.by(task, embedder, name);
          print(comparison.run(source, conveyor));
        } else {
          write(conveyor, embedder, source, format, ModelName.of(name), iterations, output);
        }
        progress.close();
        if (!quiet) tell(conveyor, source, err);
        return 0;
      }
    }
  }

  private Path output() {
    Path output = settings.read(OUTPUT);
    return output == null || output.toString().equals("-") ? null : output;
  }

  private void print(List<Comparison.Close> others) {
    PrintWriter out = spec.commandLine().getOut();
    for (var other : others) out.printf("%7.4f  %s%n", other.cosine(), other.text());
  }

  private Progress progress(boolean quiet) {
    PrintWriter err = spec.commandLine().getErr();
    boolean lines = settings.read(PROGRESS);
    if (quiet) return Progress.silent();
    if (Terminal.detect().errors()) return Progress.on(err);
    return lines ? Progress.lines(err, LINE_NANOS) : Progress.notices(err);
  }

  private static void tell(Conveyor conveyor, Texts source, PrintWriter err) {
    if (source.skipped() > 0) {
      err.println("ridgeline: skipped " + Quantity.many(source.skipped(), "empty text"));
    }
    // The rate of one text is that of a start.
    if (Terminal.detect().errors() && conveyor.texts() > 1) err.println(conveyor.line());
    err.flush();
  }

  private static void write(
      Conveyor conveyor,
      Embedder embedder,
      Texts source,
      VectorFormat format,
      ModelName model,
      int iterations,
      Path output) {
    WholeFile.Content content =
        out -> {
          HeldTexts known = format.needsCount() || iterations > 1 ? source.held() : null;
          for (int i = 1; i < iterations; i++) conveyor.run(known.again(), (_, _, _) -> {});
          Texts left = known == null ? source : known;
          long count = known == null ? -1 : source.count();
          var writer = format.writer(out, model.toString(), embedder.dimensions(), count);
          if (conveyor.run(left, writer::put) == 0) {
            throw new Problem("no text: nothing to embed");
          }
          writer.finish(source.count());
        };
    if (output != null) {
      WholeFile.write(output, content);
      return;
    }
    try (OutputStream out = new BufferedOutputStream(new Unclosed(System.out), 1 << 16)) {
      content.write(out);
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  /** Standard output is not ours to close. */
  private static final class Unclosed extends OutputStream {
    private final OutputStream out;

    Unclosed(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      out.write(bytes, from, count);
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }
  }
}
