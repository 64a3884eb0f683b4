package dev.ridgeline.model.tokenizer;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * The {@code tokenizer.json} that a Hugging Face model comes with: BERT's WordPiece so far.
 *
 * <p>Strict: what would change ids and is not known here is refused by its name. How a caller pads
 * or truncates is no matter of ids and is passed over.
 */
public record TokenizerJson(
    Vocabulary vocabulary, Specials specials, boolean lowercase, boolean stripAccents) {
  /** Larger than any tokenizer, smaller than any heap. */
  private static final long LARGEST_FILE = 256L << 20;

  private static final JsonFactory JSON =
      JsonFactory.builder()
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

  /** Reads a file, or says in one line what is wrong with it. */
  public static TokenizerJson read(Path path) {
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

  /** The same out of a stream, an entry of a jar for instance; complaints name the path. */
  public static TokenizerJson read(Path path, InputStream in) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), in)) {
      return new Reader(path).read(json);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String place =
          at == null ? "" : "line %d, column %d: ".formatted(at.getLineNr(), at.getColumnNr());
      throw new TokenizerException(path, place + e.getOriginalMessage(), e);
    }
  }

  /** The tokenizer that the file describes. */
  public WordPiece tokenizer() {
    return new WordPiece(vocabulary, specials, lowercase, stripAccents);
  }

  /** Says the same in the metadata of a GGUF file, where beginnings are marked and not the rest. */
  public void describe(GgufWriter writer) {
    int size = vocabulary.size();
    int[] kinds = new int[size];
    String[] tokens = new String[size];
    for (int id = 0; id < size; id++) {
      kinds[id] = vocabulary.kind(id).number();
      tokens[id] = marked(vocabulary.token(id));
    }
    writer.put("tokenizer.ggml.model", "bert");
    writer.put("tokenizer.ggml.pre", "default");
    writer.put("tokenizer.ggml.token_type_count", 2);
    writer.put("tokenizer.ggml.tokens", tokens);
    writer.put("tokenizer.ggml.token_type", kinds);
    put(writer, "unknown", specials.unknown());
    put(writer, "seperator", specials.sep());
    put(writer, "padding", specials.pad());
    put(writer, "cls", specials.cls());
    put(writer, "mask", specials.mask());
    writer.put("tokenizer.ggml.normalizer.lowercase", lowercase);
    writer.put("tokenizer.ggml.normalizer.strip_accents", stripAccents);
  }

  private static String marked(String token) {
    if (token.startsWith("[") && token.endsWith("]")) return token;
    if (!token.startsWith(WordPiece.CONTINUATION)) return WordPiece.BEGINNING + token;
    return token.substring(WordPiece.CONTINUATION.length());
  }

  private static void put(GgufWriter writer, String name, int id) {
    if (id >= 0) writer.put("tokenizer.ggml." + name + "_token_id", id);
  }

  /** Collects the parts in whatever order the file has them. */
  private static final class Reader {
    private final Path path;
    private final VocabularyBuilder vocabulary;
    private JsonValue addedTokens;
    private JsonValue normalizer;
    private JsonValue preTokenizer;
    private JsonValue postProcessor;
    private JsonValue unknown;

    Reader(Path path) {
      this.path = path;
      vocabulary = new VocabularyBuilder(path);
      addedTokens = new JsonValue(path, "added_tokens", List.of());
      normalizer = new JsonValue(path, "normalizer", null);
      preTokenizer = new JsonValue(path, "pre_tokenizer", null);
      postProcessor = new JsonValue(path, "post_processor", null);
    }

    TokenizerJson read(JsonParser json) {
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
          case "model" -> model(json);
          case "version", "truncation", "padding", "decoder" -> json.skipChildren();
          default -> throw new TokenizerException(path, "has a part that is not known: " + name);
        }
      }
      if (json.nextToken() != null) throw new TokenizerException(path, "goes on after its end");
      return checked();
    }

    private void model(JsonParser json) {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw new TokenizerException(path, "model is not an object");
      }
      boolean named = false;
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        if (name.equals("vocab") && json.currentToken() == JsonToken.START_OBJECT) {
          vocabulary.read(json);
          continue;
        }
        JsonValue member = JsonValue.read(json, path, "model." + name);
        switch (name) {
          case "type" -> {
            member.mustBe("WordPiece");
            named = true;
          }
          case "unk_token" -> unknown = member;
          case "continuing_subword_prefix" -> member.mustBe(WordPiece.CONTINUATION);
          case "max_input_chars_per_word" -> member.mustBe(Word.LONGEST);
          case "vocab" -> throw member.unsupported("an object of tokens and ids");
          default -> throw member.unsupported("a WordPiece model without it");
        }
      }
      if (!named) throw new TokenizerException(path, "model.type is missing");
    }

    private TokenizerJson checked() {
      if (unknown == null) throw new TokenizerException(path, "model.unk_token is missing");
      for (JsonValue token : addedTokens.elements()) add(token);
      vocabulary.check();
      normalizer.at("type").mustBe("BertNormalizer");
      normalizer.at("clean_text").mustBe(true);
      normalizer.at("handle_chinese_chars").mustBe(true);
      preTokenizer.at("type").mustBe("BertPreTokenizer");
      boolean lowercase = normalizer.at("lowercase").flag();
      Frame frame = frame();
      Specials specials =
          new Specials(
              -1,
              -1,
              frame.first,
              frame.last,
              vocabulary.find("[PAD]"),
              vocabulary.find("[MASK]"),
              id(unknown));
      return new TokenizerJson(
          vocabulary.build(), specials, lowercase, normalizer.at("strip_accents").flag(lowercase));
    }

    private void add(JsonValue token) {
      token.at("single_word").mustBe(false);
      // Spaces beside a token make no difference here: lstrip and rstrip may be either.
      token.at("normalized").mustBe(false);
      vocabulary.add(
          token.at("content").string(),
          token.at("id"),
          token.at("special").flag() ? Kind.CONTROL : Kind.USER_DEFINED);
    }

    private record Frame(int first, int last) {}

    /** What goes before and after a text, −1 for nothing. */
    private Frame frame() {
      if (postProcessor.isNull()) return new Frame(-1, -1);
      JsonValue type = postProcessor.at("type");
      return switch (type.string()) {
        case "TemplateProcessing" -> template(postProcessor.at("single"));
        case "BertProcessing" ->
            new Frame(
                id(postProcessor.at("cls").elements().getFirst()),
                id(postProcessor.at("sep").elements().getFirst()));
        default -> throw type.unsupported("TemplateProcessing and BertProcessing");
      };
    }

    /** At most one token, the text, at most one token. */
    private Frame template(JsonValue single) {
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

    private int id(JsonValue name) {
      int id = vocabulary.find(name.string());
      if (id < 0) throw name.unsupported("a token of the vocabulary");
      return id;
    }
  }
}
