package dev.ridgeline.model.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.imports.BpeJson;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** SentencePiece in the clothes of BPE has the ids that the original makes of the same file. */
@Execution(CONCURRENT)
class SentencePieceAgainstHuggingFaceTest {
  private static final long SEED = 20261117;

  @Test
  void llamasIdsAreTheSame() {
    String json;
    try (Gguf gguf = Gguf.open(SharedData.file("vocab/ggml-vocab-llama-spm.gguf"))) {
      json = json(gguf.metadata());
    }
    BpeJson read =
        BpeJson.read(
            Path.of("tokenizer.json"),
            new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    assertThat(read.byteLevel()).isFalse();
    assertThat(read.spacePrefix()).isTrue();
    Tokenizer ours = read.tokenizer();
    assertThat(ours.endings()).containsExactly(2);
    try (HuggingFace theirs = HuggingFace.of(json)) {
      for (String text : Texts.odd()) compare(ours, theirs, text, "odd");
      SplittableRandom random = new SplittableRandom(SEED);
      for (int i = 0; i < 10_000; i++) {
        compare(ours, theirs, Texts.random(random), "seed " + SEED + ", text " + i);
      }
    }
  }

  private static void compare(Tokenizer ours, HuggingFace theirs, String text, String what) {
    if (text.isEmpty()) return; // theirs puts a space before nothing, too
    Tokens tokens = new Tokens();
    ours.encode(text, tokens);
    int[] expected = theirs.ids(text);
    if (!Arrays.equals(tokens.ids(), expected)) {
      assertThat(tokens.ids()).as("%s: %s", what, text).isEqualTo(expected);
    }
  }

  private record Merge(String left, String right, float score) {}

  /** Each way to cut a token into two is a merge, the better tokens first. */
  private static List<Merge> merges(List<String> tokens, float[] scores) {
    Set<String> known = new HashSet<>(tokens);
    List<Merge> merges = new ArrayList<>();
    for (int id = 259; id < tokens.size(); id++) {
      String token = tokens.get(id);
      for (int cut = 1; cut < token.length(); cut++) {
        String left = token.substring(0, cut);
        String right = token.substring(cut);
        if (known.contains(left) && known.contains(right)) {
          merges.add(new Merge(left, right, scores[id]));
        }
      }
    }
    merges.sort(Comparator.comparing(merge -> -merge.score()));
    return merges;
  }

  private static String json(Metadata metadata) {
    List<String> tokens = metadata.strings("tokenizer.ggml.tokens");
    StringJoiner vocabulary = new StringJoiner(",");
    for (int id = 0; id < tokens.size(); id++) {
      vocabulary.add(BytePairJson.quoted(tokens.get(id)) + ":" + id);
    }
    StringJoiner pairs = new StringJoiner(",");
    for (Merge merge : merges(tokens, metadata.floats("tokenizer.ggml.scores"))) {
      pairs.add(
          "[%s,%s]".formatted(BytePairJson.quoted(merge.left), BytePairJson.quoted(merge.right)));
    }
    return """
    {"version": "1.0", "truncation": null, "padding": null,
     "added_tokens": [%s, %s, %s],
     "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
       {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
     "pre_tokenizer": null,
     "post_processor": {"type": "TemplateProcessing", "single": [
         {"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
       "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
       "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
     "decoder": null,
     "model": {"type": "BPE", "dropout": null, "unk_token": "<unk>",
       "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": true,
       "byte_fallback": true, "vocab": {%s}, "merges": [%s]}}
    """
        .formatted(
            BytePairJson.added("\"<unk>\"", 0, true),
            BytePairJson.added("\"<s>\"", 1, true),
            BytePairJson.added("\"</s>\"", 2, true),
            vocabulary,
            pairs);
  }
}
