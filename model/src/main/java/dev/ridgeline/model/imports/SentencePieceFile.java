package dev.ridgeline.model.imports;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The {@code tokenizer.model} of SentencePiece: a protobuf of pieces, and how it was trained. */
final class SentencePieceFile {
  private static final int MOST_TOKENS = 1 << 21;
  private static final int BPE = 2;

  private final List<String> tokens = new ArrayList<>();
  private float[] scores = new float[1 << 10];
  private int[] kinds = new int[1 << 10];
  private long kind = 1; // UNIGRAM, where the file does not say
  private int unknown = 0;
  private int bos = 1;
  private int eos = 2;
  private int pad = -1;
  private boolean spacePrefix = true;

  private SentencePieceFile() {}

  static GgufVocabulary read(Path path) {
    try (Mapping file = Mapping.of(path)) {
      return new SentencePieceFile().read(path, new Message(path, file.bytes(), "the model"));
    }
  }

  private GgufVocabulary read(Path path, Message model) {
    while (model.next()) {
      switch (model.field()) {
        case 1 -> piece(model.message("piece " + tokens.size()));
        case 2 -> trained(model.message("the training"));
        case 3 -> normalized(model.message("the normalizer"));
        default -> {}
      }
    }
    int size = tokens.size();
    if (size == 0) throw new ImportException(path, "has no pieces");
    if (kind != BPE) throw new ImportException(path, "is SentencePiece of another kind than BPE");
    Map<String, Object> keys =
        GgufVocabulary.sentencePieceKeys(
            within(bos), within(eos), within(pad), within(unknown), -1, true, false);
    keys.put("add_space_prefix", spacePrefix);
    return new GgufVocabulary(
        "llama", tokens, Arrays.copyOf(scores, size), Arrays.copyOf(kinds, size), keys);
  }

  private int within(int id) {
    return id < tokens.size() ? id : -1;
  }

  private void piece(Message piece) {
    int id = tokens.size();
    if (id >= MOST_TOKENS) throw piece.wrong("is one too many");
    if (id == kinds.length) {
      scores = Arrays.copyOf(scores, 2 * id);
      kinds = Arrays.copyOf(kinds, 2 * id);
    }
    String text = "";
    kinds[id] = Kind.NORMAL.number();
    while (piece.next()) {
      switch (piece.field()) {
        case 1 -> text = piece.string();
        case 2 -> scores[id] = piece.real();
        // GGUF took its numbers from here.
        case 3 -> kinds[id] = (int) Math.clamp(piece.number(), 1, Kind.BYTE.number());
        default -> {}
      }
    }
    if (!Float.isFinite(scores[id])) throw piece.wrong("has a score of " + scores[id]);
    tokens.add(text);
  }

  private void trained(Message training) {
    while (training.next()) {
      switch (training.field()) {
        case 3 -> kind = training.number();
        case 40 -> unknown = (int) training.number();
        case 41 -> bos = (int) training.number();
        case 42 -> eos = (int) training.number();
        case 43 -> pad = (int) training.number();
        default -> {}
      }
    }
  }

  private void normalized(Message normalizer) {
    while (normalizer.next()) {
      if (normalizer.field() == 3) spacePrefix = normalizer.number() != 0;
    }
  }
}
