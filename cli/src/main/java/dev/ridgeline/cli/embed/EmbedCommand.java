package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.embed.Comparison.Close;
import dev.ridgeline.cli.line.OutputFile;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.texts.HeldTexts;
import dev.ridgeline.cli.texts.Texts;
import dev.ridgeline.cli.workload.AsProfile;
import dev.ridgeline.cli.workload.SlowPath;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Use;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.Quantity;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code embed} command. */
@Command(
    name = "embed",
    description = {
      "Turns each text into a vector of length 1, in the order of the texts.",
      "Give texts as arguments, with --input, or on standard input.",
      "With --similarity, prints the texts closest to the first, or the lines of --input closest to"
          + " TEXT."
    },
    footer = {
      "  ridgeline embed 'Where does the time go?'",
      "  ridgeline embed --similarity 'fast models' 'quick networks' 'a recipe for bread'",
      "  ridgeline embed --similarity 'fast models' --input notes.txt -k 3",
      "  ridgeline embed --input notes.txt --format npy -o notes.npy",
      "  ridgeline embed -m e5-small-v2 --task query 'how tall is the tower'",
      "  ridgeline embed -m bge-small-en-v1.5:f32 --input docs.jsonl --field text --format jsonl",
      "  cat notes.txt | ridgeline embed --format csv",
      "  ridgeline embed --input notes.txt --profile      the same as: profile embed …",
    })
public final class EmbedCommand extends Subcommand {
  /** Between two lines of progress where nobody looks. */
  private static final long LINE_NANOS = 10_000_000_000L;

  private static final Setting<VectorFormat> FORMAT =
      Setting.choice(
          "--format FORMAT",
          VectorFormat.class,
          VectorFormat.JSON,
          "json, jsonl, csv or npy; with --similarity json or jsonl, else a table.");
  private static final Setting<Path> OUTPUT =
      Setting.path("-o, --output FILE", "File to write (default: standard output, as with -).");
  private static final Setting<Integer> ITERATIONS =
      Setting.number("--iterations N", 1, "Embed everything N times; the last counts.");
  private static final Setting<Boolean> SIMILARITY =
      Setting.flag(
          "--similarity",
          "Print how close texts are to the first, or lines of --input to TEXT (cosine), closest"
              + " first; with --task query the others are documents.");
  private static final Setting<Integer> TOP =
      Setting.number(
          "-k, --top N", "Print the N closest (default: 10 of --input, all of the arguments).");

  /** Lines of a file that are printed unless told otherwise. */
  private static final int USUAL_TOP = 10;

  private static final Setting<String> PROFILE = AsProfile.setting("embed");
  private static final Setting<Boolean> QUIET =
      Setting.flag(
          "--quiet", "Print errors only: no progress, no rate, no count of skipped texts.");
  private static final Setting<Boolean> PROGRESS =
      Setting.flag("--progress", "Print a line every 10 s when standard error is not a terminal.");

  public EmbedCommand() {
    super(
        EmbedSettings.ALL,
        FORMAT,
        OUTPUT,
        OutputFile.FORCE,
        ITERATIONS,
        SIMILARITY,
        TOP,
        PROFILE,
        QUIET,
        PROGRESS);
  }

  @Parameters(arity = "0..*", paramLabel = "TEXT", description = "Texts to embed.")
  private List<String> texts = List.of();

  @Override
  public Integer call() throws IOException {
    AsProfile.refuse(settings, PROFILE);
    EmbedderOptions options = EmbedSettings.options(settings);
    int iterations = settings.positive(ITERATIONS);
    boolean similarity = settings.read(SIMILARITY);
    boolean quiet = settings.read(QUIET);
    VectorFormat format = settings.read(FORMAT);
    boolean named = settings.given(FORMAT);
    if (similarity) requireRanking(named ? format : null);
    else if (settings.given(TOP)) throw new Problem("--top belongs to --similarity");
    Path output = output();
    // A query beside a file: what is typed is not among the texts.
    boolean asked = similarity && settings.read(EmbedSettings.INPUT) != null && !texts.isEmpty();
    if (asked && texts.size() > 1) {
      throw new Problem(
          "--similarity compares --input with one text, not %d: quote it".formatted(texts.size()));
    }
    boolean withFields = similarity ? named : format == VectorFormat.JSONL;
    int most = most();
    String name = settings.read(EmbedSettings.MODEL);
    OutputFile.refuseToReplace(settings.read(EmbedSettings.INPUT), output);
    OutputFile.refuseToReplace(output, settings);
    try (Texts source = EmbedSettings.texts(settings, asked ? List.of() : texts, withFields);
        Progress progress = shown(quiet)) {
      Path model = ModelOptions.file(settings, name, Use.EMBED, progress);
      OutputFile.refuseToReplace(model, output);
      progress.step("loading " + name);
      // Two prompts are a comparison's own work: an embedder puts the same before all texts.
      String task = similarity && options.prefix() == null ? options.task() : null;
      EmbedderOptions own = task == null ? options : options.withTask(null);
      try (Embedder embedder = Embedder.open(name, model, own)) {
        Rehearsal.endsHere();
        SlowPath.warn(progress);
        BatchedEmbedding embedding = new BatchedEmbedding(embedder, progress);
        if (similarity) {
          Comparison comparison =
              task == null ? Comparison.plain(embedder) : Comparison.by(task, embedder, name);
          String query = asked ? texts.getFirst() : source.next();
          String place = asked || query == null ? "the query" : source.place(source.index());
          List<Close> ranked =
              query == null ? List.of() : comparison.run(query, place, source, most, embedding);
          if (ranked.isEmpty()) throw new Problem(nothing(asked));
          RankedFormat as = new RankedFormat(source.inLines());
          String text =
              switch (named ? format : null) {
                case JSON -> as.json(ModelName.of(name).toString(), query, ranked);
                case JSONL -> as.jsonLines(ranked);
                case null, default -> as.text(ranked, columns(output));
              };
          write(out -> out.write(text.getBytes(StandardCharsets.UTF_8)), output);
        } else {
          write(embedding, embedder, source, format, ModelName.of(name), iterations, output);
        }
        progress.close();
        if (!quiet) tell(embedding, source);
        return 0;
      }
    }
  }

  private Path output() {
    Path output = settings.read(OUTPUT);
    return output == null || output.toString().equals("-") ? null : output;
  }

  /** Refuses what is about vectors. */
  private void requireRanking(VectorFormat format) {
    if (settings.given(ITERATIONS)) {
      throw new Problem("--similarity prints no vectors: leave --iterations out");
    }
    if (format == VectorFormat.CSV || format == VectorFormat.NPY) {
      throw new Problem(
          "--similarity prints no vectors: --format json or jsonl, not "
              + format.toString().toLowerCase(Locale.ROOT));
    }
  }

  /** What a line may take where a person looks at it, else 0. */
  private static int columns(Path output) {
    Terminal terminal = Terminal.detect();
    return output == null && terminal.output() ? terminal.columns() : 0;
  }

  private int most() {
    Integer most = settings.read(TOP);
    if (most == null) return texts.size() > 1 ? Integer.MAX_VALUE : USUAL_TOP;
    return Settings.requireWithin(TOP, most, Integer.MAX_VALUE);
  }

  private String nothing(boolean asked) {
    if (asked)
      return "no text in %s: nothing to compare with".formatted(settings.read(EmbedSettings.INPUT));
    return texts.isEmpty()
        ? "--similarity compares lines with the first: there are not two"
        : "--similarity compares texts with the first: give two, or lines by --input FILE (- reads"
            + " stdin)";
  }

  private Progress shown(boolean quiet) {
    boolean lines = settings.read(PROGRESS) && !quiet && !Terminal.detect().errors();
    return lines ? Progress.lines(err(), LINE_NANOS) : progress(quiet);
  }

  private void tell(BatchedEmbedding embedding, Texts source) {
    if (source.skipped() > 0) tell("skipped " + Quantity.many(source.skipped(), "empty text"));
    // The rate of one text is that of a start.
    if (Terminal.detect().errors() && embedding.texts() > 1) err().println(embedding.line());
    err().flush();
  }

  private static void write(
      BatchedEmbedding embedding,
      Embedder embedder,
      Texts source,
      VectorFormat format,
      ModelName model,
      int iterations,
      Path output)
      throws IOException {
    WholeFile.Content content =
        out -> {
          HeldTexts known = format.needsCount() || iterations > 1 ? source.held() : null;
          for (int i = 1; i < iterations; i++) embedding.run("", known.again(), (_, _, _) -> {});
          Texts left = known == null ? source : known;
          long count = known == null ? -1 : source.count();
          var writer = format.writer(out, model.toString(), embedder.dimensions(), count);
          if (embedding.run("", left, writer::put) == 0) {
            throw new Problem("no text: nothing to embed");
          }
          writer.finish(source.count());
        };
    write(content, output);
  }

  private static void write(WholeFile.Content content, Path output) throws IOException {
    if (output != null) {
      WholeFile.write(output, content);
      return;
    }
    // Standard output is not ours to close.
    OutputStream out = new BufferedOutputStream(System.out, 1 << 16);
    content.write(out);
    out.flush();
  }
}
