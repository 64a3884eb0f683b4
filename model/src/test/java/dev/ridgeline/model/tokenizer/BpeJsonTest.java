package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.imports.BpeJson;
import dev.ridgeline.model.imports.ImportException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is in the tokenizer.json of a model that generates, and what is wrong with it. */
class BpeJsonTest {
  private static final Path FILE = Path.of("tokenizer.json");

  /** As Llama 3 has it. */
  private static final String BYTES =
      """
      {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [
        {"id": 5, "content": "<|begin_of_text|>", "single_word": false, "special": true},
        {"id": 6, "content": "<|eot_id|>", "single_word": false, "special": true},
        {"id": 8, "content": "<own>", "single_word": false, "special": false}],
       "normalizer": null,
       "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
        {"type": "Split", "behavior": "Isolated", "invert": false, "pattern": {"Regex":
         "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+|\\\\p{N}{1,3}| ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|\\\\s*[\\\\r\\\\n]+|\\\\s+(?!\\\\S)|\\\\s+"}},
        {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]},
       "post_processor": {"type": "Sequence", "processors": [{"type": "ByteLevel"},
        {"type": "TemplateProcessing", "single": [
         {"SpecialToken": {"id": "<|begin_of_text|>", "type_id": 0}},
         {"Sequence": {"id": "A", "type_id": 0}}]}]},
       "decoder": {"type": "ByteLevel"},
       "model": {"type": "BPE", "dropout": null, "unk_token": null, "byte_fallback": false,
        "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false,
        "ignore_merges": true, "vocab": {"a": 0, "b": 1, "ab": 2, "Ġ": 3, "Ġab": 4},
        "merges": ["a b", ["Ġ", "ab"]]}}
      """;

  /** As Gemma has it. */
  private static final String PIECES =
      """
      {"added_tokens": [{"id": 0, "content": "<bos>", "special": true},
        {"id": 7, "content": "▁▁", "special": false}],
       "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
       "pre_tokenizer": {"type": "Split", "pattern": {"String": " "}},
       "post_processor": {"type": "TemplateProcessing", "single": [
         {"SpecialToken": {"id": "<bos>"}}, {"Sequence": {"id": "A"}}]},
       "model": {"type": "BPE", "unk_token": "<unk>", "byte_fallback": true,
        "vocab": {"<bos>": 0, "<unk>": 1, "<0x62>": 2, "▁": 3, "a": 4, "▁a": 5, "aa": 6, "▁▁": 7},
        "merges": [["a", "a"], ["▁", "a"]]}}
      """;

  @Test
  void aByteLevelFileMakesATokenizer() {
    BpeJson json = read(BYTES);
    assertThat(json.preTokenizer()).isEqualTo("llama-bpe");
    assertThat(json.merges()).containsExactly("a b", "Ġ ab");
    assertThat(json.addBos()).isTrue();
    assertThat(json.vocabulary().tokens().indexOf("<own>")).isEqualTo(8);
    Tokenizer tokenizer = json.tokenizer();
    Tokens tokens = new Tokens();
    tokenizer.encode("ab ab<own><|eot_id|>", tokens);
    assertThat(tokens.ids()).containsExactly(5, 2, 4, 8, 6);
    assertThat(tokenizer.decode(tokens.ids())).isEqualTo("ab ab<own>");
    assertThat(tokenizer.ends(6)).isTrue();
    // An id that the file leaves out is a token that no text has.
    assertThat(tokenizer.token(7)).isEqualTo("[PAD7]");
    assertThat(tokenizer.vocabulary().kind(7)).isEqualTo(Vocabulary.Kind.UNUSED);
  }

  @Test
  void aFileOfPiecesMakesATokenizer() {
    BpeJson json = read(PIECES);
    assertThat(json.byteLevel()).isFalse();
    assertThat(json.spacePrefix()).isFalse();
    Tokens tokens = new Tokens();
    json.tokenizer().encode("aaa ab  ", tokens);
    assertThat(tokens.ids()).containsExactly(0, 6, 4, 5, 2, 7);
  }

  @Test
  void aSpaceIsPutBeforeATextWhereTheFileSaysSo() {
    String prepended =
        PIECES.replace(
            "{\"type\": \"Replace\", \"pattern\": {\"String\": \" \"}, \"content\": \"▁\"}",
            "{\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"Prepend\", \"prepend\":"
                + " \"▁\"}]}");
    assertThat(read(prepended).spacePrefix()).isTrue();
    String split = "{\"type\": \"Split\", \"pattern\": {\"String\": \" \"}}";
    String scheme = "{\"type\":\"Metaspace\",\"replacement\":\"▁\",\"prepend_scheme\":\"%s\"}";
    assertThat(read(PIECES.replace(split, scheme.formatted("first"))).spacePrefix()).isTrue();
    assertThat(read(PIECES.replace(split, scheme.formatted("never"))).spacePrefix()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {1,3} | {1,4} | pretokenizers[0].pattern.Regex is (?i:
          "Split" | "Punctuation" | pretokenizers[0].type is Punctuation; only Split and Digits can
          "use_regex": false | "use_regex": true | pretokenizers[1].use_regex is true; only false can be read
          "add_prefix_space": false | "add_prefix_space": true | add_prefix_space is true; only false can be read
          "normalizer": null | "normalizer": {"type": "NFKC"} | normalizer is an object; only none can be read
          "TemplateProcessing" | "RobertaProcessing" | processors[1].type is RobertaProcessing; only
          "dropout": null | "dropout": 0.1 | model.dropout is 0.1; only none can be read
          "a b" | "a c" | model.merges has c, which is no token
          "a b" | "ab" | model.merges[0] is ab; only a pair of tokens can be read
          "a b" | 7 | model.merges[0] is 7, not an array
          "merges" | "marges" | model.marges is an array; only a BPE model without it can be read
          "a": 0 | "a": 9999999 | model.vocab has a with the id 9999999 among
          "type": "BPE" | "type": "Unigram" | model.type is Unigram; only BPE can be read
          "byte_fallback": false | "byte_fallback": true | pre_tokenizer.type is Sequence; only
          """,
      quoteCharacter = '\0')
  void whatIsNotKnownIsNamed(String good, String bad, String message) {
    assertThat(BYTES).contains(good);
    String json = BYTES.replace(good, bad);
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(ImportException.class)
        .hasMessageStartingWith("tokenizer.json: ")
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void aDamagedFileIsReadOrRefusedInOneLine() {
    int refused = 0;
    for (int seed = 0; seed < 3_000; seed++) {
      byte[] good = (seed % 2 == 0 ? BYTES : PIECES).getBytes(StandardCharsets.UTF_8);
      byte[] damaged = Damage.of(good, new SplittableRandom(seed));
      try {
        Tokenizer tokenizer = BpeJson.read(FILE, new ByteArrayInputStream(damaged)).tokenizer();
        Tokens tokens = new Tokens();
        tokenizer.encode("ab a<own>", tokens);
        tokenizer.decode(tokens.ids());
      } catch (ImportException e) {
        refused++;
        boolean clear =
            e.getMessage().startsWith("tokenizer.json: ") && e.getMessage().indexOf('\n') < 0;
        if (!clear) throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ": " + e, e);
      }
    }
    assertThat(refused).isGreaterThan(1_000);
  }

  private static BpeJson read(String json) {
    return BpeJson.read(FILE, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }
}
