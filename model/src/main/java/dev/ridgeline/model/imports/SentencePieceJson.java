package dev.ridgeline.model.imports;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The {@code tokenizer.json} of a SentencePiece model, which has it in the clothes of BPE as Gemma
 * does.
 *
 * <p>Merges are listed by falling score, so a piece's first merge says what its score was up to the
 * scale, and the scale changes nothing.
 */
final class SentencePieceJson {
  private static final int MOST_TOKENS = 1 << 21;
  private static final float SPECIAL_SCORE = -1000;
  private static final Pattern BYTE = Pattern.compile("<0x[0-9A-F]{2}>");

  private final JsonObject root;
  private final JsonObject model;
  private final Map<?, ?> ids;
  private final String[] tokens;
  private final int[] kinds;

  private SentencePieceJson(JsonObject root) {
    this.root = root;
    this.model = root.object("model");
    this.ids = model.object("vocab").values();
    this.tokens = new String[size()];
    this.kinds = new int[tokens.length];
    Arrays.fill(kinds, Kind.UNUSED.number());
    ids.forEach((token, id) -> put(((Long) id).intValue(), (String) token, Kind.NORMAL.number()));
    for (Object added : addedTokens()) addSpecial(added((Map<?, ?>) added));
    for (int id = 0; id < tokens.length; id++) {
      if (tokens[id] == null) tokens[id] = "[PAD" + id + "]";
    }
  }

  static GgufVocabulary read(Path path) {
    SentencePieceJson json = new SentencePieceJson(Json.read(path));
    String type = json.model.string("type");
    if (!type.equals("BPE")) throw json.model.wrong("type", "is " + type + " instead of BPE");
    return json.vocabulary();
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
        special ? content : content.replace(GgufVocabulary.SPACE, " "),
        special ? Kind.CONTROL.number() : Kind.USER_DEFINED.number());
  }

  private void put(int id, String token, int type) {
    if (tokens[id] != null) {
      throw root.wrong("model.vocab", "has two tokens of id " + id);
    }
    tokens[id] = token;
    kinds[id] = type;
  }

  private GgufVocabulary vocabulary() {
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
      if (kinds[id] == Kind.NORMAL.number() && BYTE.matcher(tokens[id]).matches()) {
        kinds[id] = Kind.BYTE.number();
      }
      if (kinds[id] != Kind.NORMAL.number()) scores[id] = SPECIAL_SCORE;
    }
    int unknown = id(model.string("unk_token", "<unk>"));
    if (unknown >= 0) kinds[unknown] = Kind.UNKNOWN.number();
    String first = templateToken(true);
    String last = templateToken(false);
    Map<String, Object> keys =
        GgufVocabulary.sentencePieceKeys(
            id(first == null ? "<bos>" : first),
            id(last == null ? "<eos>" : last),
            id("<pad>"),
            unknown,
            id("<mask>"),
            first != null,
            last != null);
    return new GgufVocabulary("llama", List.of(tokens), scores, kinds, keys);
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

  /** The special token that is put before or behind a text, or null. */
  private String templateToken(boolean first) {
    if (!root.has("post_processor")) return null;
    JsonObject processor = root.object("post_processor");
    if (!processor.has("single")) return null;
    List<?> single = processor.array("single");
    if (single.isEmpty()) return null;
    Object part = first ? single.getFirst() : single.getLast();
    return part instanceof Map<?, ?> map
            && map.get("SpecialToken") instanceof Map<?, ?> special
            && special.get("id") instanceof String token
        ? token
        : null;
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
}
