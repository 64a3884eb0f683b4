package dev.ridgeline.bench.peers;

import dev.ridgeline.bench.RandomText;
import dev.ridgeline.bench.peers.LlamaDecoding.Passage;
import dev.ridgeline.bench.peers.Rounds.Effort;
import dev.ridgeline.bench.peers.Rounds.Measured;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Models;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.model.tokenizer.Tokenizer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * Does one work in this JVM with all its engines. Arguments: the work, rounds (0 for a quick
 * trial), the folder of real data, and where the result goes, with {@code .json} and {@code .txt}.
 */
public final class OneWork {
  private static final int EQUAL_TEXTS = 32;
  private static final int QUICK_TEXTS = 8;

  /** Of the texts, to find out how a peer is best set up. */
  private static final int SAMPLE = 128;

  private static final String TWELVE_WORDS =
      "Where does the time go when a model embeds one short text?";

  private final Work work;
  private final boolean quick;
  private final Path data;
  private final Rounds rounds;
  private final Path model;
  private final List<Agreement> agreements = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private OneWork(Work work, int rounds, Path data) {
    this.quick = rounds == 0;
    this.work = quick ? work.quickly() : work;
    this.data = data;
    this.rounds = new Rounds(work.kind(), quick ? Effort.QUICK : Effort.of(rounds));
    this.model = file(this.work.model());
  }

  /** Exits with 1 where engines disagree. */
  public static void main(String[] args) throws IOException {
    Work work = Work.of(args[0]);
    System.out.println(work.name());
    try {
      OneWork one = new OneWork(work, Integer.parseInt(args[1]), Path.of(args[2]));
      Result result = work.kind().embeds() ? one.embed() : one.decode();
      if (result == null) System.exit(1);
      System.out.print(result.table());
      Files.writeString(Path.of(args[3] + ".txt"), result.table());
      try (OutputStream out = Files.newOutputStream(Path.of(args[3] + ".json"))) {
        result.json(out);
      }
    } catch (TestAbortedException e) {
      System.out.println("  skipped: " + e.getMessage());
    }
  }

  private static Path file(String model) {
    return Models.here().resolve(ModelName.of(model), Progress.SILENT);
  }

  // Embedding.

  private Result embed() throws IOException {
    Embedder embedder = open(model);
    List<String> texts = texts(embedder);
    RidgelineEmbedding ours = new RidgelineEmbedding(embedder, texts);
    List<Engine.Embedding> engines = new ArrayList<>(List.of(ours));
    for (Work.Rival rival : work.rivals()) {
      engines.add(rival(rival.peer(), embedder.tokenizer(), texts));
    }
    boolean agree =
        work.kind() == Work.Kind.ONE_TEXT
            ? agreeOnShortTexts(embedder, engines.getLast())
            : agree(engines, texts);
    return agree ? measured(engines, 0) : null;
  }

  private static Embedder open(Path model) {
    return Embedder.open(model, EmbedderOptions.DEFAULT.withWorkers(Engine.THREADS));
  }

  private List<String> texts(Embedder embedder) throws IOException {
    switch (work.kind()) {
      case MIXED_TEXTS -> {
        Path file = data.resolve("texts-1024.txt");
        if (!Files.exists(file)) throw new TestAbortedException(file + " is not there");
        List<String> texts = Files.readAllLines(file);
        return quick ? texts.subList(0, QUICK_TEXTS) : texts;
      }
      case ONE_TEXT -> {
        notes.add(
            "'%s': %d tokens; ridgeline's time has tokenizing in it, the peer's has not"
                .formatted(TWELVE_WORDS, embedder.countTokens(TWELVE_WORDS)));
        return List.of(TWELVE_WORDS);
      }
      default -> {
        return equal(embedder, work.tokens(), quick ? QUICK_TEXTS : EQUAL_TEXTS);
      }
    }
  }

  private static List<String> equal(Embedder embedder, int tokens, int count) {
    Random random = new Random(1);
    // Two frame the text.
    return Stream.generate(() -> RandomText.of(embedder, tokens - 2, random)).limit(count).toList();
  }

  private Engine.Embedding rival(Work.Peer peer, Tokenizer tokenizer, List<String> texts) {
    List<String> sample = texts.subList(0, Math.min(texts.size(), SAMPLE));
    boolean one = work.kind() == Work.Kind.ONE_TEXT;
    return switch (peer) {
      case LLAMA_CPP ->
          rounds.best(
              LlamaEmbedding.Setup.ALL,
              (setup, some) -> new LlamaEmbedding(model, setup, some),
              sample,
              texts);
      case ONNX_F32, ONNX_INT8 ->
          rounds.best(
              one ? OnnxEmbedding.Setup.ONE_TEXT : OnnxEmbedding.Setup.MANY_TEXTS,
              (setup, some) ->
                  new OnnxEmbedding(peer == Work.Peer.ONNX_INT8, setup, tokenizer, some, one),
              sample,
              texts);
    };
  }

  private boolean agree(List<Engine.Embedding> engines, List<String> texts) {
    boolean exact = work.model().endsWith(":f32");
    List<List<float[]>> vectors = engines.stream().map(Engine.Embedding::vectors).toList();
    boolean all = true;
    for (int i = 1; i < engines.size(); i++) {
      String between = engines.get(i).name() + " and ridgeline";
      all &= heard(Agreement.ofVectors(between, vectors.get(i), vectors.getFirst(), exact));
    }
    if (work.kind() == Work.Kind.MIXED_TEXTS && !exact) {
      List<float[]> wide;
      try (Embedder embedder = open(file(work.model().replace(":q8_0", ":f32")))) {
        wide = embedder.embed(texts);
      }
      heard(Agreement.ofQuantized(vectors.getFirst(), wide));
      for (int i = 1; i < engines.size(); i++) {
        String between = engines.get(i).name() + " and ridgeline's f32";
        heard(Agreement.ofVectors(between, vectors.get(i), wide, false));
      }
    }
    return all;
  }

  /** How much a single quantized vector is off is a matter of luck: looks at more like it, too. */
  private boolean agreeOnShortTexts(Embedder embedder, Engine.Embedding rival) {
    List<String> texts = new ArrayList<>(List.of(TWELVE_WORDS));
    texts.addAll(equal(embedder, embedder.countTokens(TWELVE_WORDS), EQUAL_TEXTS - 1));
    List<float[]> vectors;
    try (var many =
        new OnnxEmbedding(
            true, OnnxEmbedding.Setup.ONE_TEXT.getLast(), embedder.tokenizer(), texts, false)) {
      vectors = many.vectors();
    }
    String between = "%s and ridgeline, %d such texts".formatted(rival.name(), texts.size());
    boolean alike = heard(Agreement.ofVectors(between, vectors, embedder.embed(texts), false));
    between = "%s and itself, the text alone and among them".formatted(rival.name());
    List<float[]> first = vectors.subList(0, 1);
    return heard(Agreement.ofVectors(between, rival.vectors(), first, true)) && alike;
  }

  private boolean heard(Agreement agreement) {
    agreements.add(agreement);
    System.out.println("  " + agreement);
    return agreement.holds();
  }

  // Decoding.

  private Result decode() {
    RidgelineDecoding ours = new RidgelineDecoding(model, work);
    boolean prefill = work.kind() == Work.Kind.PREFILL;
    Passage passage = new Passage(ours.prompt(), ours.continuation(), prefill);
    List<Engine> engines = new ArrayList<>(List.of(ours));
    for (Work.Rival _ : work.rivals()) {
      LlamaDecoding rival =
          rounds.best(
              List.of(false, true),
              (flash, some) -> new LlamaDecoding(model, flash, some),
              passage,
              passage);
      engines.add(rival);
      String between = "ridgeline and " + rival.name();
      if (!heard(Agreement.ofTokens(between, ours.continuation(), rival.logits()))) return null;
    }
    Result result = measured(engines, ours.weightBytes());
    if (!prefill)
      notes.add("ridgeline allocates %.1f bytes a token".formatted(ours.bytesPerToken()));
    return result;
  }

  private Result measured(List<? extends Engine> engines, long weights) {
    Measured measured = rounds.measure(List.copyOf(engines));
    List<Result.Side> sides = new ArrayList<>();
    for (int i = 0; i < engines.size(); i++) {
      Engine engine = engines.get(i);
      sides.add(new Result.Side(engine.name(), engine.setup(), measured.figures().get(i)));
    }
    for (Result.Side side : sides) System.out.printf("  %s: %s%n", side.name(), side.setup());
    for (Engine engine : engines) engine.close();
    return new Result(work, agreements, sides, measured.dram(), weights, notes);
  }
}
