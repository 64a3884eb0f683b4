package dev.ridgeline.model.imports;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The {@code tokenizer.json} of Hugging Face tokenizers as a vocabulary of GGUF. */
final class TokenizerJson {
  private static final int MOST_TOKENS = 1 << 21;
  private static final float SPECIAL_SCORE = -1000;
  private static final Pattern BYTE = Pattern.compile("<0x[0-9A-F]{2}>");

  private final JsonObject root;
  private final JsonObject model;
  private final Map<?, ?> ids;
  private final String[] tokens;
  private final int[] types;

  private TokenizerJson(JsonObject root) {
    this.root = root;
    this.model = root.object("model");
    this.ids = model.object("vocab").values();
    this.tokens = new String[size()];
    this.types = new int[tokens.length];
    Arrays.fill(types, Vocabulary.UNUSED);
    ids.forEach((token, id) -> put(((Long) id).intValue(), (String) token, Vocabulary.NORMAL));
    for (Object added : addedTokens()) addSpecial(added((Map<?, ?>) added));
    for (int id = 0; id < tokens.length; id++) {
      if (tokens[id] == null) tokens[id] = "[PAD" + id + "]";
    }
  }

  /** Reads a vocabulary of any supported kind. */
  static Vocabulary read(Path path) {
    TokenizerJson json = new TokenizerJson(Json.read(path));
    String type = json.model.string("type");
    return switch (type) {
      case "WordPiece" -> json.wordPiece();
      case "BPE" -> json.sentencePiece();
      default -> throw json.model.wrong("type", "is " + type + ", which is not supported");
    };
  }

  private int size() {
    long last = -1;
    for (Map.Entry<?, ?> entry : ids.entrySet()) {
      if (!(entry.getValue() instanceof Long id) || id < 0 || id >= MOST_TOKENS) {
        throw root.wrong("model.vocab", "has token '%s' with no sane id".formatted(entry.getKey()));
      }
      last = Math.max(last, id);
    }
    for (Object token : addedTokens()) {
      if (!(token instanceof Map<?, ?> map)
          || !(map.get("id") instanceof Long id)
          || id < 0
          || id >= MOST_TOKENS) {
        throw root.wrong("added_tokens", "has a token with no sane id");
      }
      last = Math.max(last, id);
    }
    if (last < 0) throw root.wrong("model.vocab", "is empty");
    return (int) last + 1;
  }

  private List<?> addedTokens() {
    return root.has("added_tokens") ? root.array("added_tokens") : List.of();
  }

  private JsonObject added(Map<?, ?> token) {
    return new JsonObject(root.path(), "added_tokens.", token);
  }

  private void addSpecial(JsonObject token) {
    boolean special = token.flag("special", false);
    String content = token.string("content");
    int id = ((Long) token.values().get("id")).intValue();
    tokens[id] = null;
    // Tokens of the user's own are looked for in the text before its spaces are marked.
    put(
        id,
        special ? content : content.replace(Vocabulary.SPACE, " "),
        special ? Vocabulary.CONTROL : Vocabulary.USER_DEFINED);
  }

  private void put(int id, String token, int type) {
    if (tokens[id] != null) {
      throw root.wrong("model.vocab", "has two tokens of id " + id);
    }
    tokens[id] = token;
    types[id] = type;
  }

  private Vocabulary wordPiece() {
    if (!model.string("continuing_subword_prefix", "##").equals("##")) {
      throw model.wrong("continuing_subword_prefix", "is not ##, which is not supported");
    }
    JsonObject normalizer = root.object("normalizer");
    if (!normalizer.string("type").equals("BertNormalizer")) {
      throw normalizer.wrong("type", "is not BertNormalizer, which is not supported");
    }
    for (String key : List.of("clean_text", "handle_chinese_chars")) {
      if (!normalizer.flag(key, true)) throw normalizer.wrong(key, "is off: not supported");
    }
    boolean lowercase = normalizer.flag("lowercase", true);
    List<String> spelled = new ArrayList<>(tokens.length);
    for (int id = 0; id < tokens.length; id++) {
      spelled.add(
          types[id] == Vocabulary.UNUSED
              ? tokens[id]
              : Vocabulary.wordPiece(tokens[id], types[id]));
    }
    int cls = required(templateToken(true, "[CLS]"));
    int sep = required(templateToken(false, "[SEP]"));
    int unknown = required(model.string("unk_token", "[UNK]"));
    Map<String, Object> keys =
        Vocabulary.wordPieceKeys(
            cls,
            sep,
            id("[PAD]"),
            unknown,
            id("[MASK]"),
            lowercase,
            normalizer.flag("strip_accents", lowercase));
    return new Vocabulary("bert", spelled, null, types, keys);
  }

  /**
   * SentencePiece in the clothes of BPE, as Gemma has it. Merges are listed by falling score, so a
   * piece's first merge says what its score was up to the scale, and the scale changes nothing.
   */
  private Vocabulary sentencePiece() {
    if (!model.flag("byte_fallback", false)) {
      throw model.wrong("byte_fallback", "is off: byte-level BPE is not supported here");
    }
    float[] scores = new float[tokens.length];
    Arrays.fill(scores, SPECIAL_SCORE * 1000);
    List<?> merges = model.array("merges");
    for (int rank = merges.size() - 1; rank >= 0; rank--) {
      Integer piece = piece(merges.get(rank));
      if (piece != null) scores[piece] = -rank;
    }
    for (int id = 0; id < tokens.length; id++) {
      if (types[id] == Vocabulary.NORMAL && BYTE.matcher(tokens[id]).matches()) {
        types[id] = Vocabulary.BYTE;
      }
      if (types[id] != Vocabulary.NORMAL) scores[id] = SPECIAL_SCORE;
    }
    int unknown = id(model.string("unk_token", "<unk>"));
    if (unknown >= 0) types[unknown] = Vocabulary.UNKNOWN;
    String first = templateToken(true, null);
    String last = templateToken(false, null);
    Map<String, Object> keys =
        Vocabulary.sentencePieceKeys(
            id(first == null ? "<bos>" : first),
            id(last == null ? "<eos>" : last),
            id("<pad>"),
            unknown,
            id("<mask>"),
            first != null,
            last != null);
    return new Vocabulary("llama", List.of(tokens), scores, types, keys);
  }

  /** The id that a merge makes, or null; written as one text or, of late, as two. */
  private Integer piece(Object merge) {
    String made =
        switch (merge) {
          case String text -> text.replaceFirst(" ", "");
          case List<?> pair
              when pair.size() == 2
                  && pair.get(0) instanceof String left
                  && pair.get(1) instanceof String right ->
              left + right;
          case null, default -> throw model.wrong("merges", "has something that is no merge");
        };
    return ids.get(made) instanceof Long id ? Integer.valueOf(id.intValue()) : null;
  }

  /** The special token that is put before or behind a text, or a fallback. */
  private String templateToken(boolean first, String fallback) {
    if (!root.has("post_processor")) return fallback;
    JsonObject processor = root.object("post_processor");
    if (!processor.has("single")) return fallback;
    List<?> single = processor.array("single");
    if (single.isEmpty()) return fallback;
    Object part = first ? single.getFirst() : single.getLast();
    return part instanceof Map<?, ?> map
            && map.get("SpecialToken") instanceof Map<?, ?> special
            && special.get("id") instanceof String token
        ? token
        : fallback;
  }

  private int id(String token) {
    if (ids.get(token) instanceof Long id) return id.intValue();
    for (Object added : addedTokens()) {
      if (added instanceof Map<?, ?> map
          && token.equals(map.get("content"))
          && map.get("id") instanceof Long id) {
        return id.intValue();
      }
    }
    return -1;
  }

  private int required(String token) {
    int id = id(token);
    if (id < 0) throw root.wrong("model.vocab", "has no token '" + token + "'");
    return id;
  }
}
