package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.imports.BpeJson;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids are those of the tokenizers of Hugging Face, with the same vocabulary and the same rules. */
@Execution(CONCURRENT)
class BytePairAgainstHuggingFaceTest {
  private static final long SEED = 20261116;

  @ParameterizedTest
  @CsvSource({
    "gpt-2, gpt-2, 10000",
    "gpt-2, smollm, 5000",
    "gpt-2, qwen2, 5000",
    "gpt-2, deepseek-r1-qwen, 1000",
    "llama-bpe, llama-bpe, 10000"
  })
  void idsAreTheSame(String vocabulary, String rules, int count) {
    try (Gguf gguf = Gguf.open(SharedData.file("vocab/ggml-vocab-" + vocabulary + ".gguf"))) {
      Metadata metadata = gguf.metadata();
      Vocabulary tokens =
          Vocabulary.of(
              metadata.strings("tokenizer.ggml.tokens"),
              metadata.integers("tokenizer.ggml.token_type"),
              null);
      List<String> merges = metadata.strings("tokenizer.ggml.merges");
      String json = BytePairJson.of(tokens, merges, rules);
      BpeJson read = BpeJson.read(Path.of("tokenizer.json"), stream(json));
      assertThat(read.preTokenizer()).isEqualTo(rules);
      Tokenizer ours = read.tokenizer();
      boolean composes = rules.equals("qwen2");
      try (HuggingFace theirs = HuggingFace.of(json)) {
        for (String text : Texts.odd()) compare(ours, theirs, text, composes, "odd");
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < count; i++) {
          String text = random.nextInt(3) == 0 ? tricky(random) : Texts.random(random);
          compare(ours, theirs, text, composes, "seed " + SEED + ", text " + i);
        }
      }
    }
  }

  /** What the rules speak of: quotes, line ends, spaces, digits, capitals, and special tokens. */
  private static String tricky(SplittableRandom random) {
    String[] parts = {
      "'", "s", "S", "\u017f", "'ll", "'Re", "'vE", "t", " ", "  ", "\n", "\r", "\r\n", "\t",
      "\u00a0", "\u3000", "\u0085", "1", "23", "4567", "²", "½", "Ⅷ", "٣", "!", "...", "_", "é",
      "e\u0301", "的", "ж", "word", " and", "🦙", "\u200d", "<|endoftext|>", "<|eot_id|>", "<|", ">"
    };
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(24); i >= 0; i--) text.append(parts[random.nextInt(parts.length)]);
    return text.toString();
  }

  private static InputStream stream(String json) {
    return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
  }

  private static void compare(
      Tokenizer ours, HuggingFace theirs, String text, boolean composes, String what) {
    Tokens tokens = new Tokens();
    ours.encode(text, tokens);
    int[] expected = theirs.ids(text);
    if (!Arrays.equals(tokens.ids(), expected)) {
      assertThat(tokens.ids()).as("%s: %s", what, codes(text)).isEqualTo(expected);
    }
    if (text.contains("<|")) return;
    String decoded = ours.decode(tokens.ids());
    // Qwen's accents come back composed.
    boolean same = decoded.equals(text) || (composes && composed(decoded).equals(composed(text)));
    if (!same) assertThat(decoded).as("%s: text of the ids", what).isEqualTo(text);
  }

  private static String composed(String text) {
    return Normalizer.normalize(text, Form.NFC);
  }

  private static String codes(String text) {
    StringBuilder codes = new StringBuilder();
    text.codePoints().forEach(c -> codes.append(Integer.toHexString(c)).append(' '));
    return text + " = " + codes;
  }
}
