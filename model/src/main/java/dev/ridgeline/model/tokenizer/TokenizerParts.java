package dev.ridgeline.model.tokenizer;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * The parts of a {@code tokenizer.json}, in whatever order the file has them, before anybody says
 * what they mean.
 *
 * <p>How a caller pads or truncates is no matter of ids and is passed over.
 */
final class TokenizerParts {
  /** Larger than any tokenizer, smaller than any heap. */
  private static final long LARGEST_FILE = 256L << 20;

  // Names are not interned: a vocabulary is an object of a hundred thousand of them.
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxDocumentLength(LARGEST_FILE)
                  .maxNestingDepth(32)
                  .maxStringLength(1 << 16)
                  .maxNameLength(1 << 16)
                  .maxNumberLength(40)
                  .build())
          .build();

  /** What goes before and after a text, −1 for nothing. */
  record Frame(int first, int last) {
    static final Frame NONE = new Frame(-1, -1);
  }

  /** Two tokens that are joined. */
  record Pair(String left, String right) {}

  final Path path;
  final VocabularyBuilder vocabulary;

  /** All of the model but its vocabulary and its pairs. */
  final Map<String, JsonValue> model = new LinkedHashMap<>();

  /** Null where the model has none. */
  List<Pair> pairs;

  JsonValue addedTokens;
  JsonValue normalizer;
  JsonValue preTokenizer;
  JsonValue postProcessor;

  private TokenizerParts(Path path) {
    this.path = path;
    vocabulary = new VocabularyBuilder(path);
    addedTokens = new JsonValue(path, "added_tokens", List.of());
    normalizer = new JsonValue(path, "normalizer", null);
    preTokenizer = new JsonValue(path, "pre_tokenizer", null);
    postProcessor = new JsonValue(path, "post_processor", null);
  }

  /** Reads a file, or says in one line what is wrong with it. */
  static TokenizerParts read(Path path) {
    // A pipe would be waited for.
    if (Files.isDirectory(path)) throw new TokenizerException(path, "is a folder");
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new TokenizerException(path, "is not a regular file");
    }
    try (InputStream in = Files.newInputStream(path)) {
      return read(path, in);
    } catch (NoSuchFileException e) {
      throw new TokenizerException(path, "no such file", e);
    } catch (IOException e) {
      throw new TokenizerException(path, "cannot be read: " + e.getMessage(), e);
    }
  }

  static TokenizerParts read(Path path, InputStream in) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), in)) {
      TokenizerParts parts = new TokenizerParts(path);
      parts.read(json);
      return parts;
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String place =
          at == null ? "" : "line %d, column %d: ".formatted(at.getLineNr(), at.getColumnNr());
      // The library tells of a limit by the name of the method that sets it.
      String reason =
          e instanceof StreamConstraintsException
              ? "a text or a number is too long, or it is nested too deep"
              : e.getOriginalMessage();
      throw new TokenizerException(path, place + reason, e);
    }
  }

  private void read(JsonParser json) {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new TokenizerException(path, "is not a JSON object");
    }
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "added_tokens" -> addedTokens = JsonValue.read(json, path, name);
        case "normalizer" -> normalizer = JsonValue.read(json, path, name);
        case "pre_tokenizer" -> preTokenizer = JsonValue.read(json, path, name);
        case "post_processor" -> postProcessor = JsonValue.read(json, path, name);
        case "model" -> readModel(json);
        case "version", "truncation", "padding", "decoder" -> json.skipChildren();
        default -> throw new TokenizerException(path, "has a part that is not known: " + name);
      }
    }
    if (json.nextToken() != null) throw new TokenizerException(path, "goes on after its end");
  }

  private void readModel(JsonParser json) {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw new TokenizerException(path, "model is not an object");
    }
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (name.equals("vocab") && value == JsonToken.START_OBJECT) vocabulary.read(json);
      else if (name.equals("merges") && value == JsonToken.START_ARRAY) readPairs(json);
      else model.put(name, JsonValue.read(json, path, "model." + name));
    }
  }

  /** Each pair is one text with a space between or, of late, two. */
  private void readPairs(JsonParser json) {
    pairs = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      JsonValue pair = JsonValue.read(json, path, "model.merges[" + pairs.size() + "]");
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
  }

  /** The model's kind, which must be said. */
  void mustBe(String type) {
    JsonValue named = model.remove("type");
    if (named == null) throw new TokenizerException(path, "model.type is missing");
    named.mustBe(type);
  }

  /** A part of the model, absent and null being the same. */
  JsonValue model(String name) {
    return model.getOrDefault(name, new JsonValue(path, "model." + name, null));
  }

  void addTokens() {
    for (JsonValue token : addedTokens.elements()) {
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
