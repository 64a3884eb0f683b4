package dev.ridgeline.model.imports;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The {@code tokenizer.bin} of llama2.c: a SentencePiece vocabulary as score, length and text of
 * each piece, behind the length of the longest.
 */
final class Llama2cTokenizer {
  private static final int UNKNOWN = 0;
  private static final int BOS = 1;
  private static final int EOS = 2;

  /** The 256 tokens of single bytes follow the special ones. */
  private static final int FIRST_BYTE = 3;

  private static final int FIRST_PIECE = FIRST_BYTE + 256;
  private static final long MOST_BYTES = 64L << 20;

  private final Path path;
  private final ByteBuffer in;

  private Llama2cTokenizer(Path path, byte[] bytes) {
    this.path = path;
    this.in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads a file.
   *
   * @param size how many tokens the model knows, which the file does not say
   */
  static GgufVocabulary read(Path path, int size) {
    try {
      long length = Files.size(path);
      if (length > MOST_BYTES) throw new ImportException(path, "is too large: " + length);
      return read(path, Files.readAllBytes(path), size);
    } catch (IOException e) {
      throw ImportException.of(path, e);
    }
  }

  static GgufVocabulary read(Path path, byte[] bytes, int size) {
    return new Llama2cTokenizer(path, bytes).vocabulary(size);
  }

  private GgufVocabulary vocabulary(int size) {
    if (size < FIRST_PIECE) {
      throw new ImportException(path, "a model of %d tokens has no bytes".formatted(size));
    }
    // A piece has a score and a length at least: a size that is not meant asks for no memory.
    if (in.remaining() < 4 + 8L * size) throw cutOff(0);
    int longest = in.getInt();
    List<String> tokens = new ArrayList<>(size);
    float[] scores = new float[size];
    int[] kinds = new int[size];
    for (int id = 0; id < size; id++) {
      if (in.remaining() < 8) throw cutOff(id);
      scores[id] = in.getFloat();
      if (!Float.isFinite(scores[id])) throw wrong(id, "has a score of " + scores[id]);
      int length = in.getInt();
      if (length < 0 || length > longest) throw wrong(id, "has a length of " + length);
      if (length > in.remaining()) throw cutOff(id);
      byte[] text = new byte[length];
      in.get(text);
      Kind kind = kind(id);
      kinds[id] = kind.number();
      tokens.add(spelled(id, text));
    }
    if (in.hasRemaining()) {
      throw new ImportException(path, "has more than the %,d tokens of the model".formatted(size));
    }
    Map<String, Object> keys =
        GgufVocabulary.sentencePieceKeys(BOS, EOS, -1, UNKNOWN, -1, true, false);
    keys.put("add_space_prefix", true);
    // Its texts follow each other with a BOS between them, so that is what ends one.
    keys.put("eot_token_id", BOS);
    return new GgufVocabulary("llama", tokens, scores, kinds, keys);
  }

  private static Kind kind(int id) {
    return switch (id) {
      case UNKNOWN -> Kind.UNKNOWN;
      case BOS, EOS -> Kind.CONTROL;
      default -> id < FIRST_PIECE ? Kind.BYTE : Kind.NORMAL;
    };
  }

  /** A token as GGUF has it: what llama2.c made easy to print is made as it was. */
  private String spelled(int id, byte[] text) {
    return switch (id) {
      case UNKNOWN -> "<unk>";
      case BOS -> "<s>";
      case EOS -> "</s>";
      default -> {
        if (id >= FIRST_PIECE) yield utf8(id, text).replace(" ", GgufVocabulary.SPACE);
        int value = id - FIRST_BYTE;
        String name = "<0x%02X>".formatted(value);
        // Older files have the byte itself, or the character of its number.
        String said = text.length == 1 ? Character.toString(text[0] & 0xff) : utf8(id, text);
        if (said.equals(name) || said.equals(Character.toString(value))) yield name;
        throw wrong(id, "is not the byte " + name);
      }
    };
  }

  private String utf8(int id, byte[] text) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    } catch (CharacterCodingException e) {
      throw new ImportException(path, "token " + id + " is not UTF-8", e);
    }
  }

  private ImportException wrong(int id, String what) {
    return new ImportException(path, "token %d %s".formatted(id, what));
  }

  private ImportException cutOff(int id) {
    return new ImportException(path, "the file is truncated at token " + id);
  }
}
