package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import dev.ridgeline.oracle.LlamaModel;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids are those that llama.cpp gives with the same file. */
class SentencePieceAgainstLlamaCppTest {
  private static final long SEED = 7;
  private static final String LLAMA = "vocab/ggml-vocab-llama-spm.gguf";

  @TempDir Path folder;

  @Test
  void llamasIdsAreTheSame() {
    compareAll(SharedData.file(LLAMA));
  }

  /** Gemma's ways: no space before a text, tokens of the user that are found before all else. */
  @Test
  void gemmasIdsAreTheSame() {
    Path gemma = folder.resolve("gemma.gguf");
    try (Gguf gguf = Gguf.open(SharedData.file(LLAMA))) {
      String[] tokens = gguf.metadata().strings("tokenizer.ggml.tokens").toArray(String[]::new);
      int[] kinds = gguf.metadata().integers("tokenizer.ggml.token_type");
      String[] own = {
        "\n\n", "\n\n\n", "<start_of_turn>", "<b>", "<bb", "▁▁▁", "the", "e q", "é", "[multimodal]"
      };
      for (int i = 0; i < own.length; i++) {
        int known =
            Arrays.asList(tokens).indexOf(own[i]); // llama.cpp ends the JVM over a second one
        int id = known < 0 ? 20_000 + i : known;
        tokens[id] = own[i];
        kinds[id] = Kind.USER_DEFINED.number();
      }
      new GgufWriter()
          .putAll(gguf.metadata())
          .put("tokenizer.ggml.tokens", tokens)
          .put("tokenizer.ggml.token_type", kinds)
          .put("tokenizer.ggml.add_space_prefix", false)
          .put("tokenizer.ggml.add_eos_token", true)
          .write(gemma);
    }
    compareAll(gemma);
  }

  @Test
  void aBookInOneLineHasTheSameIds() throws java.io.IOException {
    String text = Files.readString(SharedData.file("tinyshakespeare.txt"));
    Path file = SharedData.file(LLAMA);
    try (LlamaModel theirs = LlamaModel.loadVocabulary(file);
        Gguf gguf = Gguf.open(file)) {
      Tokenizer ours = Tokenizers.of(gguf.metadata());
      compare(ours, theirs, text, true, true, "the book");
      compare(ours, theirs, text.replaceAll("\\s", ""), true, true, "the book without spaces");
    }
  }

  private static void compareAll(Path file) {
    try (LlamaModel theirs = LlamaModel.loadVocabulary(file);
        Gguf gguf = Gguf.open(file)) {
      Tokenizer ours = Tokenizers.of(gguf.metadata());
      for (String text : Texts.odd()) {
        for (int flags = 0; flags < 4; flags++) {
          compare(ours, theirs, text, (flags & 1) != 0, (flags & 2) != 0, "odd");
        }
      }
      SplittableRandom random = new SplittableRandom(SEED);
      for (int i = 0; i < 10_000; i++) {
        String text = random.nextBoolean() ? Texts.random(random) : markup(random);
        String what = "seed " + SEED + ", text " + i;
        compare(ours, theirs, text, random.nextBoolean(), random.nextBoolean(), what);
      }
    }
  }

  /** Words, special tokens, and halves of both. */
  private static String markup(SplittableRandom random) {
    String[] parts = {
      "<s>",
      "</s>",
      "<unk>",
      "<",
      "s>",
      " ",
      "  ",
      "\n",
      "\n\n",
      "<b>",
      "<bb",
      "b",
      "▁",
      "the",
      " quick",
      "e q",
      "é",
      "<start_of_turn>",
      "<0x41>",
      "[multimodal]",
      "x",
      ".",
      "你"
    };
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(24); i >= 0; i--) text.append(parts[random.nextInt(parts.length)]);
    return text.toString();
  }

  private static void compare(
      Tokenizer ours,
      LlamaModel theirs,
      String text,
      boolean framed,
      boolean special,
      String what) {
    Tokens tokens = new Tokens();
    ours.encode(text, framed, special, tokens);
    int[] expected = theirs.tokenize(text, framed, special);
    int at = Arrays.mismatch(tokens.ids(), expected);
    assertThat(at)
        .as(
            "%s, framed %s, special %s: first id that differs of <%s>",
            what, framed, special, text.substring(0, Math.min(300, text.length())))
        .isEqualTo(-1);
  }
}
