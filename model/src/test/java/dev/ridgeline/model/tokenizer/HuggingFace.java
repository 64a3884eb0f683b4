package dev.ridgeline.model.tokenizer;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The tokenizers of Hugging Face, as the second opinion of tests; they ask the network nothing. */
final class HuggingFace implements AutoCloseable {
  static final String MINILM = "all-minilm-l6-v2-tokenizer.json";

  // The file asks for padding to 128 tokens; a text's own ids are wanted.
  private static final Map<String, String> WHOLE_TEXTS =
      Map.of("truncation", "false", "padding", "false");

  private final HuggingFaceTokenizer tokenizer;

  private HuggingFace(InputStream json) {
    try (json) {
      tokenizer = HuggingFaceTokenizer.newInstance(json, WHOLE_TEXTS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static HuggingFace miniLm() {
    return new HuggingFace(miniLmJson());
  }

  static HuggingFace of(String json) {
    return new HuggingFace(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }

  /** The tokenizer.json of all-MiniLM-L6-v2, out of the jar that has its weights. */
  static InputStream miniLmJson() {
    return HuggingFace.class.getClassLoader().getResourceAsStream(MINILM);
  }

  static Path miniLmJson(Path folder) throws IOException {
    Path file = folder.resolve("tokenizer.json");
    try (InputStream json = miniLmJson()) {
      Files.copy(json, file);
    }
    return file;
  }

  int[] ids(String text) {
    return ints(tokenizer.encode(text).getIds());
  }

  Encoding encoding(String text) {
    return tokenizer.encode(text, false, false);
  }

  String decode(int[] ids) {
    long[] wide = new long[ids.length];
    for (int i = 0; i < ids.length; i++) wide[i] = ids[i];
    return tokenizer.decode(wide, true);
  }

  @Override
  public void close() {
    tokenizer.close();
  }

  private static int[] ints(long[] wide) {
    int[] narrow = new int[wide.length];
    for (int i = 0; i < wide.length; i++) narrow[i] = Math.toIntExact(wide[i]);
    return narrow;
  }
}
