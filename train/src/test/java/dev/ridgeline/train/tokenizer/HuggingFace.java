package dev.ridgeline.train.tokenizer;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import tools.jackson.databind.json.JsonMapper;

/** The tokenizers of Hugging Face with our tokens and merges, as the second opinion of tests. */
final class HuggingFace implements AutoCloseable {
  private static final String BYTES =
      """
      {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true}\
      """;

  private final HuggingFaceTokenizer tokenizer;

  HuggingFace(Codebook codebook) {
    byte[] json = json(codebook).getBytes(StandardCharsets.UTF_8);
    try (ByteArrayInputStream in = new ByteArrayInputStream(json)) {
      tokenizer =
          HuggingFaceTokenizer.newInstance(in, Map.of("truncation", "false", "padding", "false"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A tokenizer.json as GPT-2 comes with it. */
  private static String json(Codebook codebook) {
    List<String> tokens = codebook.vocabulary().tokens();
    int end = tokens.size() - 1;
    StringJoiner vocabulary = new StringJoiner(",");
    for (int id = 0; id < end; id++) vocabulary.add(quoted(tokens.get(id)) + ":" + id);
    StringJoiner merges = new StringJoiner(",");
    for (Object merge : (List<?>) codebook.vocabulary().more().get("merges")) {
      merges.add(quoted((String) merge));
    }
    return """
    {"version": "1.0", "truncation": null, "padding": null,
     "added_tokens": [{"id": %d, "content": %s, "single_word": false, "lstrip": false,
       "rstrip": false, "normalized": false, "special": true}],
     "normalizer": null, "pre_tokenizer": %s, "post_processor": %s, "decoder": %s,
     "model": {"type": "BPE", "dropout": null, "unk_token": null,
      "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false,
      "byte_fallback": false, "ignore_merges": false, "vocab": {%s}, "merges": [%s]}}
    """
        .formatted(end, quoted(tokens.get(end)), BYTES, BYTES, BYTES, vocabulary, merges);
  }

  private static String quoted(String text) {
    return JsonMapper.shared().writeValueAsString(text);
  }

  int[] ids(String text) {
    return Arrays.stream(tokenizer.encode(text).getIds()).mapToInt(Math::toIntExact).toArray();
  }

  @Override
  public void close() {
    tokenizer.close();
  }
}
