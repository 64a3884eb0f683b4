package dev.ridgeline.model.imports;

import dev.ridgeline.model.json.JsonValue;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The parts of a {@code tokenizer.json} before anybody says what they mean.
 *
 * <p>How a caller pads or truncates is no matter of ids and is passed over.
 */
final class TokenizerParts {
  private static final Set<String> PARTS =
      Set.of(
          "added_tokens",
          "normalizer",
          "pre_tokenizer",
          "post_processor",
          "model",
          "version",
          "truncation",
          "padding",
          "decoder");

  /** What goes before and after a text, −1 for nothing. */
  record Frame(int first, int last) {
    static final Frame NONE = new Frame(-1, -1);
  }

  /** Two tokens that are joined. */
  record Pair(String left, String right) {}

  final VocabularyBuilder vocabulary;
  final List<JsonValue> addedTokens;
  final JsonValue model;
  final JsonValue normalizer;
  final JsonValue preTokenizer;
  final JsonValue postProcessor;

  /**
   * @param kind what the model must be
   */
  TokenizerParts(JsonValue file, String kind) {
    for (String name : file.names()) {
      if (!PARTS.contains(name)) throw file.wrong("has a part that is not known: " + name);
    }
    model = file.at("model");
    model.at("type").mustBe(kind);
    vocabulary = new VocabularyBuilder(model.at("vocab"));
    JsonValue tokens = file.at("added_tokens");
    addedTokens = tokens.isNull() ? List.of() : tokens.elements();
    normalizer = file.at("normalizer");
    preTokenizer = file.at("pre_tokenizer");
    postProcessor = file.at("post_processor");
  }

  /** Each pair is one text with a space between or, of late, two. */
  List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (JsonValue pair : model.at("merges").elements()) {
      if (pair.value() instanceof String text) {
        int space = text.indexOf(' ', 1);
        if (space < 0) throw pair.unsupported("a pair of tokens");
        pairs.add(new Pair(text.substring(0, space), text.substring(space + 1)));
      } else {
        List<JsonValue> two = pair.elements();
        if (two.size() != 2) throw pair.unsupported("a pair of tokens");
        pairs.add(new Pair(two.getFirst().string(), two.getLast().string()));
      }
    }
    return pairs;
  }

  void addTokens() {
    for (JsonValue token : addedTokens) {
      JsonValue alone = token.at("single_word");
      if (alone.flag(false)) throw alone.unsupported("false");
      vocabulary.add(
          token.at("content").string(),
          token.at("id"),
          token.at("special").flag(false) ? Kind.CONTROL : Kind.USER_DEFINED);
    }
  }

  /** At most one token, the text, at most one token. */
  Frame template(JsonValue single) {
    List<JsonValue> steps = single.elements();
    int text = 0;
    while (text < steps.size() && steps.get(text).at("Sequence").isNull()) text++;
    if (text > 1 || text == steps.size() || steps.size() > text + 2) {
      throw single.unsupported("a token, the text, a token");
    }
    int first = text == 0 ? -1 : id(steps.getFirst().at("SpecialToken").at("id"));
    boolean ends = steps.size() > text + 1;
    return new Frame(first, ends ? id(steps.getLast().at("SpecialToken").at("id")) : -1);
  }

  int id(JsonValue name) {
    int id = vocabulary.find(name.string());
    if (id < 0) throw name.unsupported("a token of the vocabulary");
    return id;
  }
}
