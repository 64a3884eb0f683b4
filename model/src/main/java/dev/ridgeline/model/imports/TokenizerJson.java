package dev.ridgeline.model.imports;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.imports.TokenizerParts.Frame;
import dev.ridgeline.model.json.JsonValue;
import dev.ridgeline.model.tokenizer.Specials;
import dev.ridgeline.model.tokenizer.Vocabulary;
import dev.ridgeline.model.tokenizer.WordPiece;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The {@code tokenizer.json} of BERT and its family; {@link BpeJson} is that of the others.
 *
 * <p>Strict: what would change ids and is not known here is refused by its name.
 */
public record TokenizerJson(
    Vocabulary vocabulary, Specials specials, boolean lowercase, boolean stripAccents) {
  /** Reads a file, or says in one line what is wrong with it. */
  public static TokenizerJson read(Path path) {
    return checked(JsonFile.read(path));
  }

  /** The same out of a stream, an entry of a jar for instance; complaints name the path. */
  public static TokenizerJson read(Path path, InputStream in) {
    return checked(JsonFile.read(path, in));
  }

  /** The tokenizer that the file describes. */
  public WordPiece tokenizer() {
    return new WordPiece(vocabulary, specials, lowercase, stripAccents);
  }

  /** The same as GGUF has it. */
  public GgufVocabulary gguf() {
    List<String> tokens = new ArrayList<>(vocabulary.size());
    for (int id = 0; id < vocabulary.size(); id++) {
      tokens.add(GgufVocabulary.wordPiece(vocabulary.token(id), vocabulary.kind(id)));
    }
    Map<String, Object> keys =
        GgufVocabulary.wordPieceKeys(
            specials.cls(),
            specials.sep(),
            specials.pad(),
            specials.unknown(),
            specials.mask(),
            lowercase,
            stripAccents);
    return new GgufVocabulary("bert", tokens, null, vocabulary.kinds(), keys);
  }

  private static TokenizerJson checked(JsonValue file) {
    TokenizerParts parts = new TokenizerParts(file, "WordPiece");
    for (String name : parts.model.names()) {
      JsonValue member = parts.model.at(name);
      switch (name) {
        case "type", "vocab", "unk_token" -> {}
        case "continuing_subword_prefix" -> member.mustBe(WordPiece.CONTINUATION);
        case "max_input_chars_per_word" -> member.mustBe(WordPiece.LONGEST_WORD);
        default -> throw member.unsupported("a WordPiece model without it");
      }
    }
    // Spaces beside a token make no difference here: lstrip and rstrip may be either.
    for (JsonValue token : parts.addedTokens) token.at("normalized").mustBe(false);
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
            parts.id(parts.model.at("unk_token")));
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
