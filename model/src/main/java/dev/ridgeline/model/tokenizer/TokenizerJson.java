package dev.ridgeline.model.tokenizer;

import dev.ridgeline.model.tokenizer.TokenizerParts.Frame;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * The {@code tokenizer.json} of BERT and its family; {@link BpeJson} is that of the others.
 *
 * <p>Strict: what would change ids and is not known here is refused by its name.
 */
public record TokenizerJson(
    Vocabulary vocabulary, Specials specials, boolean lowercase, boolean stripAccents) {
  /** Reads a file, or says in one line what is wrong with it. */
  public static TokenizerJson read(Path path) {
    return checked(TokenizerParts.read(path));
  }

  /** The same out of a stream, an entry of a jar for instance; complaints name the path. */
  public static TokenizerJson read(Path path, InputStream in) {
    return checked(TokenizerParts.read(path, in));
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

  private static TokenizerJson checked(TokenizerParts parts) {
    parts.mustBe("WordPiece");
    parts.model.forEach(
        (name, member) -> {
          switch (name) {
            case "unk_token" -> {}
            case "continuing_subword_prefix" -> member.mustBe(WordPiece.CONTINUATION);
            case "max_input_chars_per_word" -> member.mustBe(Word.LONGEST);
            case "vocab" -> throw member.unsupported("an object of tokens and ids");
            default -> throw member.unsupported("a WordPiece model without it");
          }
        });
    if (parts.pairs != null) throw new TokenizerException(parts.path, "model has merges");
    JsonValue unknown = parts.model("unk_token");
    if (unknown.isNull()) throw new TokenizerException(parts.path, "model.unk_token is missing");
    // Spaces beside a token make no difference here: lstrip and rstrip may be either.
    for (JsonValue token : parts.addedTokens.elements()) token.at("normalized").mustBe(false);
    parts.addTokens();
    parts.vocabulary.check();
    JsonValue normalizer = parts.normalizer;
    normalizer.at("type").mustBe("BertNormalizer");
    normalizer.at("clean_text").mustBe(true);
    normalizer.at("handle_chinese_chars").mustBe(true);
    parts.preTokenizer.at("type").mustBe("BertPreTokenizer");
    boolean lowercase = normalizer.at("lowercase").flag();
    Frame frame = frame(parts);
    Specials specials =
        new Specials(
            -1,
            -1,
            -1,
            -1,
            frame.first(),
            frame.last(),
            parts.vocabulary.find("[PAD]"),
            parts.vocabulary.find("[MASK]"),
            parts.id(unknown));
    return new TokenizerJson(
        parts.vocabulary.build(),
        specials,
        lowercase,
        normalizer.at("strip_accents").flag(lowercase));
  }

  private static Frame frame(TokenizerParts parts) {
    JsonValue processor = parts.postProcessor;
    if (processor.isNull()) return Frame.NONE;
    JsonValue type = processor.at("type");
    return switch (type.string()) {
      case "TemplateProcessing" -> parts.template(processor.at("single"));
      case "BertProcessing" ->
          new Frame(
              parts.id(processor.at("cls").elements().getFirst()),
              parts.id(processor.at("sep").elements().getFirst()));
      default -> throw type.unsupported("TemplateProcessing and BertProcessing");
    };
  }
}
