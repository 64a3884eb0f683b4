package dev.ridgeline.model.imports;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.imports.TokenizerParts.Frame;
import dev.ridgeline.model.imports.TokenizerParts.Pair;
import dev.ridgeline.model.json.JsonValue;
import dev.ridgeline.model.tokenizer.BytePair;
import dev.ridgeline.model.tokenizer.PreTokenizer;
import dev.ridgeline.model.tokenizer.SentencePiece;
import dev.ridgeline.model.tokenizer.Specials;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Vocabulary;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The {@code tokenizer.json} of a model that generates, in the words of a GGUF file: byte-level BPE
 * (GPT-2, Llama 3, Qwen, SmolLM), or SentencePiece in the clothes of BPE (Llama 2, Mistral, Gemma).
 *
 * <p>Strict: what would change ids and is not known here is refused by its name. Passed over is
 * what a GGUF file cannot say: spaces that a token swallows beside it.
 *
 * @param merges pairs with a space between; none for SentencePiece, whose vocabulary has scores
 * @param preTokenizer the name of the rules, for {@code tokenizer.ggml.pre}; null for SentencePiece
 * @param specials with the frame that the file knows; the model's configuration may know better
 * @param spacePrefix whether a text is read as if a space stood before it
 */
public record BpeJson(
    Vocabulary vocabulary,
    List<String> merges,
    String preTokenizer,
    Specials specials,
    boolean spacePrefix,
    boolean addBos,
    boolean addEos) {
  private static final String SPACE = "▁";
  private static final float SPECIAL_SCORE = -1_000;
  private static final float NEVER = -1_000_000;
  private static final Pattern BYTE = Pattern.compile("<0x[0-9A-F]{2}>");

  public BpeJson {
    merges = List.copyOf(merges);
  }

  /** Reads a file, or says in one line what is wrong with it. */
  public static BpeJson read(Path path) {
    return new Reader(JsonFile.read(path)).read();
  }

  /** The same out of a stream; complaints name the path. */
  public static BpeJson read(Path path, InputStream in) {
    return new Reader(JsonFile.read(path, in)).read();
  }

  /** Whether tokens are bytes of words, and not characters of a text. */
  public boolean byteLevel() {
    return preTokenizer != null;
  }

  /** The tokenizer that the file describes. */
  public Tokenizer tokenizer() {
    return byteLevel()
        ? new BytePair(vocabulary, merges, preTokenizer, specials, addBos, addEos)
        : new SentencePiece(vocabulary, specials, spacePrefix, addBos, addEos);
  }

  /** The same as GGUF has it. */
  public GgufVocabulary gguf() {
    Map<String, Object> keys =
        GgufVocabulary.sentencePieceKeys(
            specials.bos(),
            specials.eos(),
            specials.pad(),
            specials.unknown(),
            specials.mask(),
            addBos,
            addEos);
    GgufVocabulary.id(keys, "eot", specials.eot());
    GgufVocabulary.id(keys, "eom", specials.eom());
    keys.put("add_space_prefix", spacePrefix);
    if (byteLevel()) {
      keys.put("pre", preTokenizer);
      keys.put("merges", merges);
    }
    return new GgufVocabulary(
        byteLevel() ? "gpt2" : "llama",
        vocabulary.tokens(),
        byteLevel() ? null : vocabulary.scores(),
        vocabulary.kinds(),
        keys);
  }

  private static final class Reader {
    private final TokenizerParts parts;
    private final VocabularyBuilder vocabulary;
    private final List<Pair> pairs;

    Reader(JsonValue file) {
      parts = new TokenizerParts(file, "BPE");
      vocabulary = parts.vocabulary;
      for (String name : parts.model.names()) check(name, parts.model.at(name));
      pairs = parts.pairs();
    }

    BpeJson read() {
      parts.addTokens();
      vocabulary.fill();
      return parts.model.at("byte_fallback").flag(false) ? sentencePiece() : byteLevel();
    }

    private static void check(String name, JsonValue member) {
      switch (name) {
        case "type", "vocab", "merges" -> {}
        case "unk_token", "byte_fallback", "fuse_unk", "ignore_merges" -> {}
        case "dropout", "continuing_subword_prefix", "end_of_word_suffix" -> {
          if (!member.isNull() && !"".equals(member.value())) throw member.unsupported("none");
        }
        default -> throw member.unsupported("a BPE model without it");
      }
    }

    private BpeJson byteLevel() {
      String rules = composed(rules());
      Frame frame = frame();
      List<String> merges = pairs.stream().map(this::spelled).toList();
      return new BpeJson(
          vocabulary.build(),
          merges,
          rules,
          specials(frame, -1),
          false,
          frame.first() >= 0,
          frame.last() >= 0);
    }

    /** The name with which accents are composed as the normalizer says. */
    private String composed(String rules) {
      if (parts.normalizer.isNull()) {
        return PreTokenizer.composes(rules) ? "deepseek-r1-qwen" : rules;
      }
      if (!PreTokenizer.composes(rules)) throw parts.normalizer.unsupported("none");
      parts.normalizer.at("type").mustBe("NFC");
      return rules;
    }

    private String spelled(Pair pair) {
      mustBeToken(pair.left());
      mustBeToken(pair.right());
      mustBeToken(pair.left() + pair.right());
      return pair.left() + " " + pair.right();
    }

    private void mustBeToken(String token) {
      if (token.indexOf(' ') < 0 && vocabulary.find(token) >= 0) return;
      throw parts.model.at("merges").wrong("has %s, which is no token".formatted(token));
    }

    /** The name of the rules by which words are cut. */
    private String rules() {
      JsonValue last = parts.preTokenizer;
      JsonValue first = null;
      if (last.at("type").string().equals("Sequence")) {
        List<JsonValue> both = last.at("pretokenizers").elements();
        if (both.isEmpty() || both.size() > 2) throw last.unsupported("one of two steps");
        last = both.getLast();
        if (both.size() == 2) first = both.getFirst();
      }
      last.at("type").mustBe("ByteLevel");
      JsonValue prefixed = last.at("add_prefix_space");
      if (prefixed.flag(true)) throw prefixed.unsupported("false");
      boolean whole = parts.model.at("ignore_merges").flag(false);
      String rules = rules(first, last.at("use_regex"));
      if (!whole) return rules.equals("llama-bpe") ? "smaug-bpe" : rules;
      if (!rules.equals("llama-bpe")) throw parts.model.at("ignore_merges").unsupported("false");
      return rules;
    }

    private static String rules(JsonValue first, JsonValue useRegex) {
      String type = first == null ? "" : first.at("type").string();
      boolean split = type.equals("Split");
      if (first != null && !split && !type.equals("Digits")) {
        throw first.at("type").unsupported("Split and Digits");
      }
      // Who splits by a pattern does not want the built-in one as well.
      if (useRegex.flag(true) == split) throw useRegex.unsupported(String.valueOf(!split));
      if (split) return split(first);
      if (first == null) return "gpt-2";
      first.at("individual_digits").mustBe(true);
      return "smollm";
    }

    private static String split(JsonValue split) {
      // Keeping what matches and keeping what does not match as well are the same: all does.
      boolean inverted = split.at("invert").flag(false);
      split.at("behavior").mustBe(inverted ? "Removed" : "Isolated");
      JsonValue pattern = split.at("pattern").at("Regex");
      String regex = pattern.string();
      if (regex.equals(PreTokenizer.LLAMA_3.pattern())) return "llama-bpe";
      if (regex.equals(PreTokenizer.QWEN_2.pattern())) return "qwen2";
      throw pattern.unsupported("the pattern of Llama 3 or Qwen 2");
    }

    /**
     * Merges are listed by falling score, so a piece's first merge says what its score was up to
     * the scale, and the scale changes nothing.
     */
    private BpeJson sentencePiece() {
      boolean spacePrefix = prepends(parts.normalizer) | prefixes(parts.preTokenizer);
      Kind[] kinds = vocabulary.kinds();
      String[] tokens = vocabulary.tokens().clone();
      float[] scores = new float[tokens.length];
      Arrays.fill(scores, NEVER);
      for (int rank = pairs.size() - 1; rank >= 0; rank--) {
        Pair pair = pairs.get(rank);
        int piece = vocabulary.find(pair.left() + pair.right());
        if (piece >= 0) scores[piece] = -rank;
      }
      JsonValue named = parts.model.at("unk_token");
      int unknown = vocabulary.find(named.isNull() ? "<unk>" : named.string());
      if (unknown >= 0) kinds[unknown] = Kind.UNKNOWN;
      for (int id = 0; id < tokens.length; id++) {
        if (kinds[id] == Kind.NORMAL && BYTE.matcher(tokens[id]).matches()) kinds[id] = Kind.BYTE;
        if (kinds[id] != Kind.NORMAL) scores[id] = SPECIAL_SCORE;
        // Tokens of the user's own are looked for in the text before its spaces are marked.
        if (kinds[id] == Kind.USER_DEFINED) tokens[id] = tokens[id].replace(SPACE, " ");
      }
      Frame frame = frame();
      return new BpeJson(
          Vocabulary.of(List.of(tokens), VocabularyBuilder.numbers(kinds), scores),
          List.of(),
          null,
          specials(frame, unknown),
          spacePrefix,
          frame.first() >= 0,
          frame.last() >= 0);
    }

    /** Whether a normalizer puts a space before a text; more than marking spaces is refused. */
    private static boolean prepends(JsonValue normalizer) {
      if (normalizer.isNull()) return false;
      JsonValue type = normalizer.at("type");
      switch (type.string()) {
        case "Sequence" -> {
          boolean any = false;
          for (JsonValue step : normalizer.at("normalizers").elements()) any |= prepends(step);
          return any;
        }
        case "Prepend" -> {
          normalizer.at("prepend").mustBe(SPACE);
          return true;
        }
        case "Replace" -> {
          normalizer.at("pattern").at("String").mustBe(" ");
          normalizer.at("content").mustBe(SPACE);
          return false;
        }
        default -> throw type.unsupported("Prepend and Replace");
      }
    }

    /** The same of a pre-tokenizer. */
    private static boolean prefixes(JsonValue preTokenizer) {
      if (preTokenizer.isNull()) return false;
      JsonValue type = preTokenizer.at("type");
      switch (type.string()) {
        case "Metaspace" -> {
          preTokenizer.at("replacement").mustBe(SPACE);
          JsonValue scheme = preTokenizer.at("prepend_scheme");
          if (scheme.isNull()) return preTokenizer.at("add_prefix_space").flag(true);
          return !scheme.string().equals("never");
        }
        case "Split" -> {
          // Gemma's spaces are marked by then, and so it cuts nothing.
          preTokenizer.at("pattern").at("String").mustBe(" ");
          return false;
        }
        default -> throw type.unsupported("Metaspace and Split, or byte_fallback false,");
      }
    }

    private Frame frame() {
      Frame frame = Frame.NONE;
      JsonValue processor = parts.postProcessor;
      if (processor.isNull()) return frame;
      boolean sequence = processor.at("type").string().equals("Sequence");
      List<JsonValue> steps = sequence ? processor.at("processors").elements() : List.of(processor);
      for (JsonValue step : steps) {
        JsonValue type = step.at("type");
        switch (type.string()) {
          case "ByteLevel" -> {}
          case "TemplateProcessing" -> frame = parts.template(step.at("single"));
          default -> throw type.unsupported("ByteLevel and TemplateProcessing");
        }
      }
      return frame;
    }

    private Specials specials(Frame frame, int unknown) {
      int bos = first("<bos>", "<s>", "<|begin_of_text|>", "<|endoftext|>");
      int eos = first("<eos>", "</s>", "<|end_of_text|>", "<|endoftext|>");
      return new Specials(
          frame.first() >= 0 ? frame.first() : bos,
          frame.last() >= 0 ? frame.last() : eos,
          first("<|eot_id|>", "<|im_end|>", "<end_of_turn>"),
          first("<|eom_id|>"),
          -1,
          -1,
          first("<pad>"),
          first("<mask>"),
          unknown);
    }

    private int first(String... names) {
      for (String name : names) {
        int id = vocabulary.find(name);
        if (id >= 0) return id;
      }
      return -1;
    }
  }
}
