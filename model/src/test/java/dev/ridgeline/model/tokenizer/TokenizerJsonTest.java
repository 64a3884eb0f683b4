package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.imports.ImportException;
import dev.ridgeline.model.imports.TokenizerJson;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is in a tokenizer.json, and what is wrong with it. */
@Execution(CONCURRENT)
class TokenizerJsonTest {
  private static final String SMALL =
      """
      {"version": "1.0", "truncation": null, "padding": {"strategy": {"Fixed": 128}},
       "added_tokens": [
        {"id": 0, "content": "[PAD]", "single_word": false, "lstrip": false, "rstrip": false,
         "normalized": false, "special": true},
        {"id": 1, "content": "[UNK]", "single_word": false, "lstrip": false, "rstrip": false,
         "normalized": false, "special": true},
        {"id": 2, "content": "[CLS]", "single_word": false, "lstrip": false, "rstrip": false,
         "normalized": false, "special": true},
        {"id": 3, "content": "[SEP]", "single_word": false, "lstrip": false, "rstrip": false,
         "normalized": false, "special": true},
        {"id": 8, "content": "<own>", "single_word": false, "lstrip": false, "rstrip": false,
         "normalized": false, "special": false}],
       "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
        "strip_accents": null, "lowercase": true},
       "pre_tokenizer": {"type": "BertPreTokenizer"},
       "post_processor": {"type": "TemplateProcessing", "single": [
         {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
         {"Sequence": {"id": "A", "type_id": 0}},
         {"SpecialToken": {"id": "[SEP]", "type_id": 0}}], "pair": [], "special_tokens": {}},
       "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
       "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "ridge": 4, "##line": 5,
         "##s": 6, "é": 7}}}
      """;

  @TempDir Path folder;

  @Test
  void aFileMakesATokenizer() throws IOException {
    WordPiece tokenizer = TokenizerJson.read(write(SMALL)).tokenizer();
    Tokens tokens = new Tokens();
    tokenizer.encode("Ridgelines<own>  ridge unknown", tokens);
    assertThat(tokens.ids()).containsExactly(2, 4, 5, 6, 8, 4, 1, 3);
    assertThat(tokenizer.decode(tokens.ids())).isEqualTo("ridgelines <own> ridge");
    assertThat(tokenizer.specials().pad()).isZero();
    assertThat(tokenizer.specials().mask()).isEqualTo(-1);
  }

  @Test
  void aGgufFileSaysTheSame() throws IOException {
    TokenizerJson read = TokenizerJson.read(HuggingFace.miniLmJson(folder));
    Path file = folder.resolve("vocabulary.gguf");
    GgufWriter writer = new GgufWriter();
    read.gguf().describe(writer::put);
    writer.write(file);
    WordPiece original = read.tokenizer();
    try (Gguf gguf = Gguf.open(file)) {
      Tokenizer copy = Tokenizers.of(gguf.metadata());
      assertThat(copy.token(2003)).isEqualTo("▁is");
      assertThat(copy.token(2015)).isEqualTo("s");
      for (String text : Texts.odd()) {
        Tokens expected = new Tokens();
        Tokens tokens = new Tokens();
        original.encode(text, expected);
        copy.encode(text, tokens);
        assertThat(tokens.ids()).as(text).isEqualTo(expected.ids());
        assertThat(copy.decode(tokens.ids())).isEqualTo(original.decode(tokens.ids()));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          BertNormalizer | Sequence | normalizer.type is Sequence; only BertNormalizer can be read
          BertPreTokenizer | Metaspace | pre_tokenizer.type is Metaspace; only BertPreTokenizer can be read
          TemplateProcessing | ByteLevel | post_processor.type is ByteLevel; only TemplateProcessing and BertProcessing can be read
          "type": "WordPiece", "unk | "type": "BPE", "unk | model.type is BPE; only WordPiece can be read
          "clean_text": true | "clean_text": false | normalizer.clean_text is false; only true can be read
          "single_word": false | "single_word": true | added_tokens[0].single_word is true; only false can be read
          _word": 100 | _word": 200 | model.max_input_chars_per_word is 200; only 100 can be read
          "ridge": 4 | "ridge": 400000000 | model.vocab has ridge with the id 400000000 among 9 tokens
          "ridge": 4 | "ridge": 5 | with the same id 5
          "ridge": 4 | "ridge": "4" | model.vocab.ridge is 4, not a whole number
          "id": "[SEP]" | "id": "[END]" | post_processor.single[2].SpecialToken.id is [END]; only a token of the vocabulary can be read
          "lowercase": true | "lowercase": 1 | normalizer.lowercase is 1, not true or false
          "ridge": 4 | "ridge": 4, "ridge": 4 | has the key 'ridge' twice
          "version" | "virsion" | has a part that is not known: virsion
          "model": | "model" | is not JSON at line 21, column 10
          """,
      quoteCharacter = '\0')
  void whatIsNotKnownIsNamed(String good, String bad, String message) throws IOException {
    assertThat(SMALL).contains(good);
    Path file = write(SMALL.replace(good, bad));
    assertThatThrownBy(() -> TokenizerJson.read(file))
        .isInstanceOf(ImportException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(message);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> TokenizerJson.read(folder.resolve("none.json")))
        .isInstanceOf(ImportException.class)
        .hasMessageEndingWith("none.json: no such file or directory");
  }

  @Test
  void aDamagedFileIsReadOrRefusedInOneLine() {
    byte[] small = SMALL.getBytes(StandardCharsets.UTF_8);
    Path file = folder.resolve("damaged.json");
    String prefix = file + ": ";
    int refused = 0;
    for (int seed = 0; seed < 25_000; seed++) {
      try {
        InputStream in = new ByteArrayInputStream(Damage.of(small, new SplittableRandom(seed)));
        WordPiece tokenizer = TokenizerJson.read(file, in).tokenizer();
        tokenizer.encode("Ridgelines <own>", new Tokens());
      } catch (ImportException e) {
        refused++;
        boolean clear = e.getMessage().startsWith(prefix) && e.getMessage().indexOf('\n') < 0;
        if (!clear) throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ": " + e, e);
      }
    }
    assertThat(refused).isGreaterThan(10_000);
  }

  private Path write(String json) throws IOException {
    return Files.writeString(folder.resolve("tokenizer.json"), json);
  }
}
