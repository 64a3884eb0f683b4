package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.ridgeline.model.imports.TokenizerJson;
import dev.ridgeline.oracle.Allocated;
import dev.ridgeline.tensor.gguf.Gguf;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encoding costs no garbage, no patience, and can be done by many threads at a time. */
class SteadyStateTest {
  private static final int MEGABYTE = 1 << 20;

  @TempDir Path folder;

  @Test
  void wordPieceAllocatesNothing() throws IOException {
    allocatesNothing(HuggingFace.miniLmJson(folder));
  }

  @Test
  void sentencePieceAllocatesNothing() {
    allocatesNothing(vocabulary("llama-spm"));
  }

  @Test
  void bytePairAllocatesNothing() {
    allocatesNothing(vocabulary("gpt-2"));
  }

  private static void allocatesNothing(Path tokenizer) {
    assertThat(Allocated.by(EncodedAgain.class, tokenizer.toString()))
        .containsExactly(entry(texts().size() + " texts", 0L));
  }

  @Test
  void aMegabyteWithoutASpaceIsEncoded() throws IOException {
    Tokens tokens = new Tokens();
    WordPiece wordPiece = wordPiece();
    wordPiece.encode("x".repeat(MEGABYTE), tokens);
    assertThat(tokens.ids()).containsExactly(101, 100, 102);
    tokens.clear();
    wordPiece.encode("\u0301\ud834\udd6d\ud834\udd65".repeat(MEGABYTE / 4), tokens);
    assertThat(tokens.ids()).containsExactly(101, 100, 102);
    tokens.clear();
    wordPiece.encode("[".repeat(MEGABYTE), tokens);
    assertThat(tokens.size()).isEqualTo(MEGABYTE + 2);
  }

  @Test
  void aMegabyteWithoutASpaceIsJoined() {
    Tokenizer tokenizer = read("llama-spm");
    for (String unit : List.of("x", "the", "ab\n", "<s", "你好", "\n")) {
      String text = unit.repeat(MEGABYTE / unit.length());
      Tokens tokens = new Tokens();
      tokenizer.encode(text, tokens);
      assertThat(tokenizer.decode(tokens.ids())).isEqualTo(text);
    }
  }

  @Test
  void aMegabyteOfOneClassIsJoined() {
    aMegabyteIsJoined(read("gpt-2"), List.of("x", " ", "7"));
    aMegabyteIsJoined(read("llama-bpe"), List.of("the", " ", "\n", "!", "你好", "'", "<|"));
  }

  private static void aMegabyteIsJoined(Tokenizer tokenizer, List<String> units) {
    Tokens tokens = new Tokens();
    for (String unit : units) {
      String text = unit.repeat(MEGABYTE / unit.length());
      tokens.clear();
      tokenizer.encode(text, false, true, tokens);
      assertThat(tokenizer.decode(tokens.ids()).equals(text)).as(unit).isTrue();
    }
  }

  @Test
  void manyThreadsShareATokenizer() throws Exception {
    for (Tokenizer tokenizer : List.of(wordPiece(), read("llama-spm"), read("gpt-2"))) {
      List<String> texts = texts();
      List<int[]> expected = encoded(tokenizer, texts);
      try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
        List<Callable<List<int[]>>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) tasks.add(() -> encoded(tokenizer, texts));
        for (Future<List<int[]>> answer : pool.invokeAll(tasks)) {
          for (int i = 0; i < texts.size(); i++) {
            assertThat(answer.get().get(i)).isEqualTo(expected.get(i));
          }
        }
      }
    }
  }

  private static List<int[]> encoded(Tokenizer tokenizer, List<String> texts) {
    Tokens tokens = new Tokens();
    List<int[]> encoded = new ArrayList<>();
    for (String text : texts) {
      tokens.clear();
      tokenizer.encode(text, tokens);
      encoded.add(tokens.ids());
    }
    return encoded;
  }

  static List<String> texts() {
    List<String> texts = new ArrayList<>(Texts.odd());
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 200; i++) texts.add(Texts.random(random));
    return texts;
  }

  private WordPiece wordPiece() throws IOException {
    return TokenizerJson.read(HuggingFace.miniLmJson(folder)).tokenizer();
  }

  private static Path vocabulary(String name) {
    return SharedData.file("vocab/ggml-vocab-" + name + ".gguf");
  }

  private static Tokenizer read(String name) {
    return read(vocabulary(name));
  }

  static Tokenizer read(Path file) {
    try (Gguf gguf = Gguf.open(file)) {
      return Tokenizers.of(gguf.metadata());
    }
  }
}
