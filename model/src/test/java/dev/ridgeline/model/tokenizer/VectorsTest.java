package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.gguf.Gguf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids are those of llama.cpp's own test vectors. */
class VectorsTest {
  private static final String SEPARATOR = "\n__ggml_vocab_test__\n";

  @ParameterizedTest
  @ValueSource(strings = {"bert-bge", "llama-spm", "gpt-2", "llama-bpe"})
  void vectorsOfLlamaCppHold(String name) throws IOException {
    Path file = SharedData.file("vocab/ggml-vocab-" + name + ".gguf");
    Tokenizer tokenizer;
    try (Gguf gguf = Gguf.open(file)) {
      tokenizer = Tokenizers.of(gguf.metadata());
    }
    String[] texts = Files.readString(Path.of(file + ".inp")).split(SEPARATOR, -1);
    List<String> lines = Files.readAllLines(Path.of(file + ".out"));
    assertThat(lines).hasSizeGreaterThan(40);
    for (int i = 0; i < lines.size(); i++) {
      int[] expected =
          Arrays.stream(lines.get(i).trim().split(" "))
              .filter(id -> !id.isEmpty())
              .mapToInt(Integer::parseInt)
              .toArray();
      Tokens tokens = new Tokens();
      tokenizer.encode(texts[i], false, false, tokens);
      assertThat(tokens.ids()).as("text %d: <%s>", i, texts[i]).isEqualTo(expected);
    }
  }
}
