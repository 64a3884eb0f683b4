package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufException;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file's metadata makes a tokenizer, or a line that says what is missing. */
class TokenizersTest {
  @TempDir Path folder;

  @Test
  void theKindChoosesTheTokenizer() {
    assertThat(read(words())).isInstanceOf(WordPiece.class);
    assertThat(read(words().put("tokenizer.ggml.model", "llama")))
        .isInstanceOf(SentencePiece.class);
  }

  @Test
  void capitalsAreKeptWhereTheFileSaysSo() {
    Tokens tokens = new Tokens();
    read(words().put("tokenizer.ggml.normalizer.lowercase", false)).encode("B b", tokens);
    assertThat(tokens.ids()).containsExactly(1, 0, 3, 2);
    tokens.clear();
    read(words()).encode("B b", tokens);
    assertThat(tokens.ids()).containsExactly(1, 3, 3, 2);
  }

  @Test
  void anUnknownKindIsNamed() {
    refused(
        words().put("tokenizer.ggml.model", "rwkv"),
        "tokenizer.ggml.model is rwkv; bert, llama and gpt2 can");
  }

  @Test
  void anIdOutsideTheVocabularyIsNamed() {
    refused(
        words().put("tokenizer.ggml.cls_token_id", 40),
        "tokenizer.ggml.cls_token_id is 40, and there are 4 tokens");
  }

  @Test
  void kindsThatDoNotMatchTheTokensAreRefused() {
    refused(words().put("tokenizer.ggml.token_type", new int[] {1}), "4 tokens have 1 kinds");
  }

  @Test
  void aMissingVocabularyIsNamed() {
    refused(
        new GgufWriter().put("tokenizer.ggml.model", "bert"),
        "has no metadata tokenizer.ggml.tokens");
  }

  @Test
  void theKeysOfAByteLevelTokenizerAreRead() {
    Tokenizer tokenizer =
        read(
            pairs()
                .put("tokenizer.ggml.eot_token_id", 4)
                .put("tokenizer.ggml.add_bos_token", true));
    assertThat(tokenizer).isInstanceOf(BytePair.class);
    Tokens tokens = new Tokens();
    tokenizer.encode("ab<end>", tokens);
    assertThat(tokens.ids()).containsExactly(3, 2, 4);
    assertThat(tokenizer.endings()).containsExactly(3, 4);
  }

  @Test
  void whatIsWrongWithAByteLevelTokenizerIsNamed() {
    refused(pairs().put("tokenizer.ggml.pre", "gpt-9"), "pre-tokenizer gpt-9 is not known; gpt-2,");
    refused(pairs().put("tokenizer.ggml.merges", new String[] {"a x"}), "x, which is no token");
    refused(pairs().put("tokenizer.ggml.merges", 7), "tokenizer.ggml.merges is");
    refused(
        words().put("tokenizer.ggml.model", "gpt2").put("tokenizer.ggml.pre", "gpt-2"),
        "has no metadata tokenizer.ggml.merges");
    refused(words().put("tokenizer.ggml.model", "gpt2"), "has no metadata tokenizer.ggml.pre");
  }

  /** Each key gets a value that was not meant for it: a tokenizer is made, or one line says why. */
  @Test
  void strangeMetadataMakesATokenizerOrOneLine() {
    List<String> keys =
        List.of(
            "model pre tokens token_type merges bos_token_id eot_token_id add_bos_token scores"
                .split(" "));
    int refused = 0;
    for (int seed = 0; seed < 600; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      GgufWriter writer = pairs();
      for (int i = random.nextInt(2); i >= 0; i--) {
        put(writer, "tokenizer.ggml." + keys.get(random.nextInt(keys.size())), random);
      }
      try {
        Tokenizer tokenizer = read(writer);
        Tokens tokens = new Tokens();
        tokenizer.encode("ab a<s>", tokens);
        tokenizer.decode(tokens.ids());
      } catch (GgufException e) {
        refused++;
        assertThat(e.getMessage()).as("seed %d", seed).startsWith(folder.toString());
        assertThat(e.getMessage().lines()).as("seed %d", seed).hasSize(1);
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(refused).isBetween(100, 599);
  }

  private static void put(GgufWriter writer, String key, SplittableRandom random) {
    switch (random.nextInt(8)) {
      case 0 -> writer.put(key, random.nextInt(-2, 8));
      case 1 -> writer.put(key, random.nextBoolean());
      case 2 -> writer.put(key, new int[random.nextInt(8)]);
      case 3 -> writer.put(key, new float[random.nextInt(8)]);
      case 4 -> writer.put(key, new String[] {"a b", "", " ", "a\n", "b  a"});
      case 5 -> writer.put(key, new String[] {"a", "a", "", "\0", "<s>"});
      case 6 -> writer.put(key, List.of("bert", "llama", "gpt2", "qwen2").get(random.nextInt(4)));
      default -> writer.put(key, "\n");
    }
  }

  private static GgufWriter pairs() {
    return new GgufWriter()
        .put("tokenizer.ggml.model", "gpt2")
        .put("tokenizer.ggml.pre", "qwen2")
        .put("tokenizer.ggml.tokens", new String[] {"a", "b", "ab", "<s>", "<end>"})
        .put("tokenizer.ggml.token_type", new int[] {1, 1, 1, 3, 3})
        .put("tokenizer.ggml.merges", new String[] {"a b"})
        .put("tokenizer.ggml.bos_token_id", 3)
        .put("tokenizer.ggml.eos_token_id", 3);
  }

  private void refused(GgufWriter writer, String reason) {
    assertThatThrownBy(() -> read(writer))
        .isInstanceOf(GgufException.class)
        .hasMessageStartingWith(folder.toString())
        .hasMessageContaining(reason);
  }

  private static GgufWriter words() {
    return new GgufWriter()
        .put("tokenizer.ggml.model", "bert")
        .put("tokenizer.ggml.tokens", new String[] {"[UNK]", "[CLS]", "[SEP]", "▁b"})
        .put("tokenizer.ggml.unknown_token_id", 0)
        .put("tokenizer.ggml.cls_token_id", 1)
        .put("tokenizer.ggml.seperator_token_id", 2);
  }

  private Tokenizer read(GgufWriter writer) {
    Path file = folder.resolve("file.gguf");
    writer.write(file);
    try (Gguf gguf = Gguf.open(file)) {
      return Tokenizers.of(gguf.metadata());
    }
  }
}
