package dev.ridgeline.train.tokenizer;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.draft.Draft;
import dev.ridgeline.model.generate.Completion;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.Listener;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Sizes;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.oracle.LlamaModel;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.train.SplitMix;
import dev.ridgeline.train.data.Documents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file says of a tokenizer is enough for others to read texts the same way. */
class CodebookTest {
  private static final long SEED = 20261116;

  @TempDir Path folder;

  @Test
  void bytesAreTheirOwnIds() {
    Tokenizer tokenizer = Codebook.bytes().tokenizer();
    assertThat(tokenizer.size()).isEqualTo(257);
    assertThat(tokenizer.specials().eos()).isEqualTo(256);
    String text = "naïve 🦙\n\u0000";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int[] ids = ids(tokenizer, text);
    assertThat(ids).hasSize(bytes.length);
    for (int i = 0; i < ids.length; i++) assertThat(ids[i]).isEqualTo(bytes[i] & 0xff);
    assertThat(tokenizer.decode(ids)).isEqualTo(text);
    assertThat(tokenizer.ends(256)).isTrue();
  }

  @Test
  void aFileBringsTheSameTokenizerBack() {
    for (Codebook codebook : codebooks()) {
      Path model = model(codebook);
      Codebook back = Codebook.of(model);
      assertThat(back.vocabulary().tokens()).isEqualTo(codebook.vocabulary().tokens());
      assertThat(back.vocabulary().kinds()).isEqualTo(codebook.vocabulary().kinds());
      assertThat(back.vocabulary().more()).isEqualTo(codebook.vocabulary().more());
      // And the file of that one is the same file.
      assertThat(model(back)).hasSameBinaryContentAs(Path.of(model + "-1"));
      SplittableRandom random = new SplittableRandom(SEED);
      for (int i = 0; i < 200; i++) {
        String text = RandomTexts.of(random, 30);
        assertThat(ids(back.tokenizer(), text))
            .as("seed %d, text %d", SEED, i)
            .isEqualTo(ids(codebook.tokenizer(), text));
      }
    }
  }

  @Test
  void aModelWithItWrites() {
    for (Codebook codebook : codebooks()) {
      int[] prompt = ids(codebook.tokenizer(), "the");
      try (Generator generator = Generator.open(model(codebook))) {
        Completion completion =
            generator
                .generate(new int[][] {prompt}, Sampling.GREEDY.withMaxTokens(5), Listener.DEAF)
                .getFirst();
        assertThat(completion.ids()).hasSizeBetween(1, 5);
      }
    }
  }

  @Test
  void llamaCppReadsTextsTheSameWay() {
    for (Codebook codebook : codebooks()) {
      try (LlamaModel theirs = LlamaModel.load(model(codebook))) {
        assertThat(theirs.tokens()).isEqualTo(codebook.tokenizer().size());
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 300; i++) {
          String text = common(random);
          assertThat(theirs.tokenize(text, true, true))
              .as("seed %d, text %d: %s", SEED, i, text)
              .isEqualTo(ids(codebook.tokenizer(), text));
        }
      }
    }
  }

  /** Without what llama.cpp's own tables of characters say otherwise. */
  private static String common(SplittableRandom random) {
    String[] parts = {
      " ", " ", "  ", "\n", "\n\n", "\t", "the", "The", "then", "other", " and", "ing", "a", "ab",
      "aaa", "'s", "'ll", "1", "23", "4567", "!", "...", "é", "naïve", "你好", "слово", "🦙"
    };
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(30); i >= 0; i--) text.append(parts[random.nextInt(parts.length)]);
    return text.toString();
  }

  @Test
  void tokensAreLearnedFromTheTrainingPartAlone() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "ab\n".repeat(90) + "xyz".repeat(10));
    Documents documents = new Documents(List.of(file), "", "text");
    assertThat(Codebook.trained(documents, 0.1, 300).vocabulary().tokens())
        .contains("ab")
        .doesNotContain("xy", "yz");
    assertThat(Codebook.trained(documents, 0, 300).vocabulary().tokens()).contains("ab", "xyz");
  }

  private static List<Codebook> codebooks() {
    BytePairTrainer trainer = new BytePairTrainer();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 300; i++) trainer.add(RandomTexts.of(random, 60));
    return List.of(Codebook.bytes(), trainer.train(600));
  }

  /** A model with random weights; the one before it is kept under another name. */
  private Path model(Codebook codebook) {
    int tokens = codebook.tokenizer().size();
    Gpt2Shape shape = new Gpt2Shape(Sizes.of(tokens, 64, 1, 32, 64, 2), 1e-5f, true);
    Draft draft = new Draft(shape, "small", codebook.vocabulary());
    SplitMix numbers = new SplitMix(SEED);
    for (Slot slot : shape.slots()) {
      draft.add(
          slot,
          (from, to, out) -> {
            for (long i = 0; i < (to - from) * slot.columns(); i++) {
              out.setAtIndex(JAVA_FLOAT_UNALIGNED, i, (float) numbers.gaussian() / 8);
            }
          });
    }
    Path file = folder.resolve("small-" + tokens + ".gguf");
    try {
      if (Files.exists(file)) Files.deleteIfExists(Path.of(file + "-1"));
      if (Files.exists(file)) Files.move(file, Path.of(file + "-1"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    draft.write(file, TensorType.F32, _ -> {});
    return file;
  }

  private static int[] ids(Tokenizer tokenizer, String text) {
    Tokens tokens = new Tokens();
    tokenizer.encode(text, tokens);
    return tokens.ids();
  }
}
