package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufException;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.nio.file.Path;
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
    refused(words().put("tokenizer.ggml.model", "rwkv"), "tokenizer.ggml.model is rwkv; bert, llama and gpt2 can");
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
