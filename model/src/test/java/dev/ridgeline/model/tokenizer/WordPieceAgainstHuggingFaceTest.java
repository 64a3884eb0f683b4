package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.imports.TokenizerJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Ids are those that the tokenizers of Hugging Face give, for every text that was tried. */
@Execution(CONCURRENT)
class WordPieceAgainstHuggingFaceTest {
  private static final long SEED = 20261115;
  private static HuggingFace oracle;
  private static WordPiece ours;

  @BeforeAll
  static void open(@TempDir Path folder) throws IOException {
    oracle = HuggingFace.miniLm();
    ours = TokenizerJson.read(HuggingFace.miniLmJson(folder)).tokenizer();
  }

  @AfterAll
  static void close() {
    oracle.close();
  }

  @Test
  void oddTextsHaveTheSameIds() {
    List<String> texts = Texts.odd();
    assertThat(texts).hasSizeGreaterThanOrEqualTo(200);
    for (String text : texts) compare(text, "odd");
  }

  @Test
  void textsOfThePlaysHaveTheSameIds() throws IOException {
    List<String> texts = Files.readAllLines(SharedData.file("texts-1024.txt"));
    int count = 0;
    for (String text : texts) count += compare(text, "play");
    assertThat(texts).hasSize(1024);
    assertThat(count).isEqualTo(54_203);
  }

  @Test
  void randomTextsHaveTheSameIds() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 12_000; i++) compare(Texts.random(random), "seed " + SEED + ", text " + i);
  }

  @Test
  void casedAndAccentedTextsHaveTheSameIds() {
    String json = new String(read(), java.nio.charset.StandardCharsets.UTF_8);
    for (boolean lowercase : new boolean[] {true, false}) {
      for (boolean strip : new boolean[] {true, false}) {
        String changed =
            json.replaceFirst("\"lowercase\":\\s*true", "\"lowercase\":" + lowercase)
                .replaceFirst("\"strip_accents\":\\s*null", "\"strip_accents\":" + strip);
        WordPiece tokenizer = new WordPiece(ours.vocabulary(), ours.specials(), lowercase, strip);
        try (HuggingFace other = HuggingFace.of(changed)) {
          for (String text : Texts.odd()) {
            Tokens tokens = new Tokens();
            tokenizer.encode(text, tokens);
            assertThat(tokens.ids())
                .as("lowercase %s, strip %s: %s", lowercase, strip, text)
                .isEqualTo(other.ids(text));
          }
        }
      }
    }
  }

  @Test
  void textsOfIdsAreTheSame() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 2_000; i++) {
      int[] ids = random.ints(1 + random.nextInt(30), 0, ours.size()).toArray();
      ids[0] = 101;
      assertThat(ours.decode(ids)).as("seed %d, text %d", SEED, i).isEqualTo(oracle.decode(ids));
    }
  }

  private static byte[] read() {
    try (var in = HuggingFace.miniLmJson()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static int compare(String text, String what) {
    Tokens tokens = new Tokens();
    ours.encode(text, tokens);
    int[] expected = oracle.ids(text);
    if (!java.util.Arrays.equals(tokens.ids(), expected)) {
      assertThat(tokens.ids()).as("%s: %s", what, codes(text)).isEqualTo(expected);
    }
    return tokens.size();
  }

  private static String codes(String text) {
    StringBuilder codes = new StringBuilder();
    text.codePoints().forEach(c -> codes.append(Integer.toHexString(c)).append(' '));
    return text + " = " + codes;
  }
}
