package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The table of characters is what the tokenizers of Hugging Face do. */
class CharactersTest {
  @Test
  void theTableIsWhatTheOriginalDoes() throws IOException {
    try (InputStream in = Characters.class.getResourceAsStream("characters.txt")) {
      String table = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(CharacterFacts.facts()).isEqualTo(table);
    }
  }
}
