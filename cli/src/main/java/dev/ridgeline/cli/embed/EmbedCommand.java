package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import dev.ridgeline.cli.Terminal;
import dev.ridgeline.cli.profile.Progress;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.WholeFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code embed} command. */
@Command(
    name = EmbedCommand.NAME,
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
  static final String NAME = "embed";

  /** Texts that are read, embedded and written at a time. */
  private static final int CHUNK = 512;

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
          "--similarity", "Print how close each text is to the first (cosine), closest first.");
  private static final Setting<String> PROFILE =
      Setting.text(
              "--profile",
              "LEVEL",
              null,
              "The same as profile embed: time, allocation (when not said) or trace.")
          .orBare("allocation");
  private static final Setting<Boolean> QUIET = Setting.flag("--quiet", "No progress, no rate.");

  @Mixin private final Settings settings = new Settings(settings());

  @Parameters(arity = "0..*", paramLabel = "TEXT", description = "Texts to embed.")
  private List<String> texts = List.of();

  @Spec private CommandSpec spec;

  private static Setting<?>[] settings() {
    List<Setting<?>> all = new ArrayList<>(EmbedSettings.ALL);
    all.addAll(List.of(FORMAT, OUTPUT, ITERATIONS, SIMILARITY, PROFILE, QUIET));
    return all.toArray(Setting[]::new);
  }

  @Override
  public Integer call() {
    if (settings.given(PROFILE)) {
      throw new Problem("--profile: not with --; put texts that begin with - into a file");
    }
    EmbedderOptions options = EmbedSettings.options(settings);
    int iterations = EmbedSettings.positive(settings, ITERATIONS);
    boolean similarity = settings.read(SIMILARITY);
    boolean quiet = settings.read(QUIET) || !Terminal.detect().errors();
    VectorFormat format = settings.read(FORMAT);
    for (Setting<?> other : List.of(FORMAT, OUTPUT, ITERATIONS)) {
      if (similarity && settings.given(other)) {
        throw new Problem("--similarity prints no vectors: leave %s out".formatted(other.name()));
      }
    }
    Path output = output();
    PrintWriter err = spec.commandLine().getErr();
    refuseToReplace(settings.read(EmbedSettings.INPUT), output);
    try (Texts source = EmbedSettings.texts(settings, texts);
        Progress progress = quiet ? Progress.silent() : Progress.on(err)) {
      Path model = EmbedSettings.file(settings, settings.read(EmbedSettings.MODEL), progress);
      refuseToReplace(model, output);
      progress.show("loading " + model.getFileName());
      try (Embedder embedder = Embedder.open(model, options)) {
        Rate rate = new Rate(embedder, progress);
        if (similarity) compare(embedder, rate, source);
        else write(rate, source, format, settings.read(EmbedSettings.MODEL), iterations, output);
        progress.close();
        if (!quiet) err.println(rate.line());
        return 0;
      }
    }
  }

  private Path output() {
    Path output = settings.read(OUTPUT);
    return output == null || output.toString().equals("-") ? null : output;
  }

  /** The texts and the model are worth more than the vectors, which can be made again. */
  private static void refuseToReplace(Path read, Path output) {
    try {
      if (read != null && output != null && Files.exists(output) && Files.isRegularFile(read)) {
        if (Files.isSameFile(read, output)) {
          throw new Problem("--output %s: is read, and would be replaced".formatted(output));
        }
      }
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  /**
   * What was typed, as {@code profile} takes it: one code path, and every option of that command.
   *
   * @param typed a whole command line
   */
  public static String[] orProfile(String... typed) {
    List<String> words = new ArrayList<>(Arrays.asList(typed));
    int command = 0;
    while (command < typed.length && typed[command].startsWith("-")) command++;
    // Behind a -- profile would find a program to start.
    if (command == typed.length || !typed[command].equals(NAME) || words.contains("--")) {
      return typed;
    }
    for (int i = command + 1; i < typed.length; i++) {
      boolean bare = typed[i].equals(PROFILE.name());
      if (!bare && !typed[i].startsWith(PROFILE.name() + "=")) continue;
      if (bare) words.remove(i);
      else words.set(i, "--level" + typed[i].substring(PROFILE.name().length()));
      words.add(command, "profile");
      return words.toArray(String[]::new);
    }
    return typed;
  }

  private void write(
      Rate rate, Texts source, VectorFormat format, String model, int iterations, Path output) {
    WholeFile.Content content =
        out -> {
          List<String> known = format.needsCount() || iterations > 1 ? all(source) : null;
          for (int i = 1; i < iterations; i++) {
            stream(rate, Texts.of(known), NOWHERE);
          }
          Texts left = known == null ? source : Texts.of(known);
          int count = known == null ? -1 : known.size();
          var writer = format.writer(out, model, rate.embedder().dimensions(), count);
          long written = stream(rate, left, writer);
          if (written == 0) throw new Problem("no text: nothing to embed");
          writer.end();
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

  private static final VectorFormat.Writer NOWHERE =
      new VectorFormat.Writer() {
        @Override
        public void vector(long index, float[] numbers, int from) {}

        @Override
        public void end() {}
      };

  private static List<String> all(Texts source) {
    List<String> all = new ArrayList<>();
    for (String text = source.next(); text != null; text = source.next()) all.add(text);
    return all;
  }

  /** Embeds chunk by chunk and answers how many texts there were. */
  private static long stream(Rate rate, Texts source, VectorFormat.Writer writer)
      throws IOException {
    int dimensions = rate.embedder().dimensions();
    List<String> chunk = new ArrayList<>(CHUNK);
    float[] vectors = new float[CHUNK * dimensions];
    long done = 0;
    String text;
    do {
      text = source.next();
      if (text != null) chunk.add(text);
      if (chunk.size() == CHUNK || text == null && !chunk.isEmpty()) {
        rate.embed(chunk, vectors, done);
        for (int i = 0; i < chunk.size(); i++) writer.vector(done + i, vectors, i * dimensions);
        done += chunk.size();
        chunk.clear();
      }
    } while (text != null);
    return done;
  }

  private void compare(Embedder embedder, Rate rate, Texts source) {
    List<String> all = all(source);
    if (all.size() < 2) throw new Problem("--similarity compares texts with the first: give two");
    int dimensions = embedder.dimensions();
    float[] vectors = new float[Math.multiplyExact(all.size(), dimensions)];
    rate.embed(all, vectors, 0);
    record Close(String text, double cosine) {}
    float[] first = Arrays.copyOf(vectors, dimensions);
    List<Close> others = new ArrayList<>();
    for (int i = 1; i < all.size(); i++) {
      float[] other = Arrays.copyOfRange(vectors, i * dimensions, (i + 1) * dimensions);
      others.add(new Close(all.get(i), Embedder.cosine(first, other)));
    }
    others.sort(Comparator.comparingDouble(Close::cosine).reversed());
    PrintWriter out = spec.commandLine().getOut();
    for (Close other : others) out.printf("%7.4f  %s%n", other.cosine(), other.text());
  }

  /** Embeds and keeps the time. */
  private static final class Rate {
    private final Embedder embedder;
    private final Progress progress;
    private long texts;
    private long nanos;

    Rate(Embedder embedder, Progress progress) {
      this.embedder = embedder;
      this.progress = progress;
    }

    Embedder embedder() {
      return embedder;
    }

    /** What is wrong with a text is told with its number in the whole input. */
    void embed(List<String> chunk, float[] to, long before) {
      long start = System.nanoTime();
      embedder.embed(chunk, to, before);
      nanos += System.nanoTime() - start;
      texts += chunk.size();
      progress.show("embedding: %s".formatted(line()));
    }

    String line() {
      return "%s, %,.1f texts/s"
          .formatted(Quantity.many(texts, "text"), texts / Math.max(1e-9, nanos / 1e9));
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
