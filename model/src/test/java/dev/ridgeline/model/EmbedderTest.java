package dev.ridgeline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Rope;
import dev.ridgeline.model.shape.Sizes;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.oracle.Allocated;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** The front door: same bits however texts come, nothing allocated, errors in one line. */
class EmbedderTest {
  private static final Path MODEL = RealModel.MINILM.gguf(TensorType.Q8_0);

  @TempDir Path folder;

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  private static List<String> texts(int count) {
    Random random = new Random(7);
    List<String> texts = new ArrayList<>();
    while (texts.size() < count) {
      StringBuilder text = new StringBuilder("text");
      for (int i = random.nextInt(60); i >= 0; i--) {
        text.append(' ').append(Integer.toString(random.nextInt(40_000), 36));
      }
      texts.add(text.toString());
    }
    return texts;
  }

  @Test
  void theBitsDependOnTheTextAlone() {
    List<String> texts = texts(12);
    float[][] alone = new float[texts.size()][];
    try (Embedder one =
        Embedder.open(MODEL, EmbedderOptions.DEFAULT.withStrategy(Strategy.FINE).withWorkers(1))) {
      for (int i = 0; i < alone.length; i++) alone[i] = one.embed(texts.get(i));
    }
    for (Strategy strategy : Strategy.values()) {
      for (int workers : new int[] {1, 2, 3}) {
        for (int batch : new int[] {5, 64}) {
          EmbedderOptions options =
              EmbedderOptions.DEFAULT.withStrategy(strategy).withWorkers(workers).withBatch(batch);
          try (Embedder embedder = Embedder.open(MODEL, options)) {
            List<float[]> together = embedder.embed(texts);
            for (int i = 0; i < alone.length; i++) {
              assertThat(together.get(i)).as("%s, text %d", options, i).isEqualTo(alone[i]);
            }
          }
        }
      }
    }
  }

  @Test
  @Tag("own-jvm")
  void aWarmEmbedderAllocatesNothing() {
    assertThat(Allocated.by(EmbeddedAgain.class, MODEL.toString()))
        .containsExactly(entry("FINE", 0L), entry("COARSE", 0L), entry("PACKED", 0L));
  }

  static final class EmbeddedAgain {
    public static void main(String[] arguments) {
      List<String> texts = texts(6);
      for (Strategy strategy : new Strategy[] {Strategy.FINE, Strategy.COARSE, Strategy.PACKED}) {
        EmbedderOptions options = EmbedderOptions.DEFAULT.withStrategy(strategy).withWorkers(1);
        try (Embedder embedder = Embedder.open(Path.of(arguments[0]), options)) {
          float[] vectors = new float[texts.size() * embedder.dimensions()];
          Profiler.start(Options.of(Level.ALLOCATION));
          Allocated.again(strategy.name(), () -> embedder.embed(texts, vectors));
          Profiler.stop();
        }
      }
    }
  }

  /** Workers have room for texts of 512 tokens; longer ones are for all of them together. */
  @Test
  void longTextsAmongManyHaveTheSameBits() {
    Path model = folder.resolve("long.gguf");
    SynthModel.write(
        SynthShape.QWEN3_EMBEDDING_TINY, TensorType.Q8_0, SynthModel.SEED, model, _ -> {});
    List<String> texts = new ArrayList<>(texts(14));
    String longText = "where does the time go ".repeat(150);
    for (int at : new int[] {0, 5, 6, 13}) texts.set(at, longText + at);
    List<float[]> expected;
    try (Embedder one = Embedder.open(model, EmbedderOptions.DEFAULT.withStrategy(Strategy.FINE))) {
      assertThat(one.countTokens(longText)).isBetween(513, one.context());
      expected = one.embed(texts);
    }
    EmbedderOptions options = EmbedderOptions.DEFAULT.withStrategy(Strategy.COARSE);
    for (int workers : new int[] {1, 3}) {
      try (Embedder embedder = Embedder.open(model, options.withWorkers(workers))) {
        for (int time = 0; time < 2; time++) {
          assertThat(embedder.embed(texts)).usingRecursiveComparison().isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void manyThreadsMayAsk() throws Exception {
    List<String> texts = texts(16);
    try (Embedder embedder = Embedder.open(MODEL);
        var threads = Executors.newFixedThreadPool(4)) {
      List<float[]> expected = embedder.embed(texts);
      List<Future<float[]>> answers = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        String text = texts.get(i % texts.size());
        answers.add(threads.submit((Callable<float[]>) () -> embedder.embed(text)));
      }
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).get()).isEqualTo(expected.get(i % texts.size()));
      }
    }
  }

  @Test
  void whatCannotBeEmbeddedIsNamed() {
    String longText = "word ".repeat(600);
    try (Embedder embedder = Embedder.open(MODEL)) {
      for (String empty : new String[] {"", " \t ", "\u0000"}) {
        assertThatThrownBy(() -> embedder.embed(List.of("fine", empty)))
            .isInstanceOf(ModelException.class)
            .hasMessage("text 2 is empty");
      }
      assertThatThrownBy(() -> embedder.embed(longText))
          .isInstanceOf(ModelException.class)
          .hasMessage("the text has 602 tokens, the model takes 512");
      for (String broken : new String[] {"\ud83d\ude00 \ude00", "\ud83d\ude00 \ud83d"}) {
        assertThatThrownBy(() -> embedder.embed(List.of("fine", broken)))
            .isInstanceOf(ModelException.class)
            .hasMessage("text 2 has half a character, \\uD800 to \\uDFFF, at index 3");
      }
      assertThatThrownBy(() -> embedder.embed((String) null)).hasMessage("text 1 is null");
      // An error leaves nothing behind that the next text would see.
      assertThat(embedder.embed("fine")).isEqualTo(embedder.embed(List.of("fine")).getFirst());
    }
    try (Embedder cutting = Embedder.open(MODEL, EmbedderOptions.DEFAULT.withTruncation())) {
      assertThat(cutting.embed(longText)).isEqualTo(cutting.embed("word ".repeat(510)));
    }
  }

  @Test
  void optionsThatCannotBeAreRefusedAtOnce() {
    EmbedderOptions options = EmbedderOptions.DEFAULT;
    assertThatThrownBy(() -> options.withStrategy(null)).hasMessage("strategy");
    assertThatThrownBy(() -> options.withWorkers(513)).hasMessage("workers 513: at most 512");
    assertThatThrownBy(() -> options.withBatch(65_537)).hasMessage("batch 65537: at most 65536");
  }

  /** On another worker it would wait for itself for ever. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void aTextCannotUseTheEmbedderThatReadsIt() {
    for (Strategy strategy : Strategy.values()) {
      EmbedderOptions options = EmbedderOptions.DEFAULT.withStrategy(strategy).withWorkers(2);
      try (Embedder embedder = Embedder.open(MODEL, options)) {
        List<CharSequence> texts = Collections.nCopies(8, new Nested(embedder, "a text"));
        assertThatThrownBy(() -> embedder.embed(texts))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("a text uses the embedder that is reading it");
        assertThat(embedder.embed(List.of("a", "b"))).hasSize(2);
      }
    }
  }

  private record Nested(Embedder embedder, String text) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      embedder.embed(text);
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @Test
  void aClosedEmbedderSaysSo() {
    Embedder embedder = Embedder.open(MODEL);
    embedder.close();
    embedder.close();
    assertThatThrownBy(() -> embedder.embed("a")).hasMessage("this embedder is closed");
    assertThatThrownBy(() -> embedder.countTokens("a")).hasMessage("this embedder is closed");
  }

  @Test
  void numbersThatNoModelHasAreRefused() {
    for (float epsilon : new float[] {Float.NaN, -1e-5f, 1, Float.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new BertShape(Sizes.of(9, 8, 1, 4, 8, 2), 2, epsilon, Pooling.MEAN))
          .isInstanceOf(ModelException.class)
          .hasMessage("norms with an epsilon of " + epsilon);
    }
    for (float base : new float[] {Float.NaN, 0, Float.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> Rope.of(2, base))
          .isInstanceOf(ModelException.class)
          .hasMessage("rope base " + base);
    }
  }

  @Test
  void whatCannotBeOpenedIsNamed() throws Exception {
    assertThatThrownBy(() -> Embedder.open(MODEL, EmbedderOptions.DEFAULT.withDimensions(128)))
        .isInstanceOf(ModelException.class)
        .hasMessageContainingAll("128 dimensions", "was not trained to be cut, it gives 384");
    EmbedderOptions dancing = EmbedderOptions.DEFAULT.withTask("dance");
    assertThatThrownBy(() -> Embedder.open("my-model", MODEL, dancing))
        .isInstanceOf(ModelException.class)
        .hasMessageStartingWith("my-model: ");
    Path text = Files.writeString(folder.resolve("notes.gguf"), "no model");
    assertThatThrownBy(() -> Embedder.open(text)).hasMessageContaining("notes.gguf");
    assertThatThrownBy(() -> Embedder.open(folder.resolve("absent.gguf")))
        .hasMessageContaining("absent.gguf");
  }

  @Test
  void aModelWithoutPromptsSaysSo() {
    assertThatThrownBy(() -> Embedder.open(MODEL, EmbedderOptions.DEFAULT.withTask("query")))
        .isInstanceOf(ModelException.class)
        .hasMessage(
            "%s: task 'query': this model has no prompts, it takes every text as it is", MODEL);
  }

  @Test
  void aPathIsANameToo() {
    try (Embedder byName = Embedder.open(MODEL.toString());
        Embedder byPath = Embedder.open(MODEL)) {
      float[] vector = byName.embed("where?");
      assertThat(vector).isEqualTo(byPath.embed("where?"));
      assertThat(Embedder.cosine(vector, vector)).isCloseTo(1, within(1e-6));
      assertThat(byName.prompts().tasks()).isEmpty();
    }
  }

  @Test
  void aPrefixIsPartOfTheText() {
    try (Embedder plain = Embedder.open(MODEL);
        Embedder asking = Embedder.open(MODEL, EmbedderOptions.DEFAULT.withPrefix("query: "))) {
      assertThat(asking.embed("where?")).isEqualTo(plain.embed("query: where?"));
    }
  }
}
