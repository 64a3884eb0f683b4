package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** The tables of characters are what the tokenizers of Hugging Face do. */
@Execution(CONCURRENT)
class CharactersTest {
  @Test
  void theTableIsWhatTheOriginalDoes() throws IOException {
    assertThat(CharacterFacts.facts()).isEqualTo(resource("characters.txt"));
  }

  @Test
  void theClassesAreWhatTheOriginalMeans() throws IOException {
    assertThat(CharacterFacts.classes()).isEqualTo(resource("classes.txt"));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Characters.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
