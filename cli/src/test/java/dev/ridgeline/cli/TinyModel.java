package dev.ridgeline.cli;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.ridgeline.model.draft.Draft;
import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.draft.Numbers;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Rope;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Sizes;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Encoders with random weights that open in no time; every letter is a token. */
final class TinyModel {
  /** Tokens of a text at most, two of them the frame. */
  static final int CONTEXT = 40;

  static final int WIDTH = 32;

  private TinyModel() {}

  static Path bert(Path path, Map<String, String> prompts) {
    return bert(path, prompts, TensorType.F32);
  }

  static Path bert(Path path, Map<String, String> prompts, TensorType type) {
    GgufVocabulary vocabulary = wordPiece();
    Sizes sizes = Sizes.of(vocabulary.tokens().size(), CONTEXT, 2, WIDTH, 64, 2);
    var shape = new BertShape(sizes, 2, 1e-12f, Pooling.MEAN);
    Map<String, Object> keys = new HashMap<>();
    prompts.forEach((task, prompt) -> keys.put("ridgeline.prompt." + task, prompt));
    return write(path, shape, vocabulary, keys, type);
  }

  /** One whose vectors may be cut. */
  static Path gemma(Path path) {
    GgufVocabulary vocabulary = sentencePiece();
    var shape =
        new DecoderShape(
            DecoderFamily.GEMMA_EMBEDDING,
            new Sizes(vocabulary.tokens().size(), CONTEXT, 2, WIDTH, 64, 2, 1, 16),
            Rope.of(16, 1e6f),
            false,
            new DecoderShape.Windows(8, 2, 1e4f),
            1e-6f,
            false,
            true,
            Pooling.MEAN,
            64);
    Map<String, Object> keys = Map.of("ridgeline.dimensions", new int[] {8, 16});
    return write(path, shape, vocabulary, keys, TensorType.F32);
  }

  private static Path write(
      Path path,
      Shape shape,
      GgufVocabulary vocabulary,
      Map<String, Object> keys,
      TensorType type) {
    Draft draft = new Draft(shape, "tiny", vocabulary);
    keys.forEach(draft::put);
    for (Slot slot : shape.slots()) draft.add(slot, random(slot));
    draft.write(path, type, _ -> {});
    return path;
  }

  private static Numbers random(Slot slot) {
    float middle = slot.kind() == Slot.Kind.NORM ? 1 : 0;
    Random random = new Random(slot.name().hashCode());
    return (from, to, out) -> {
      for (long i = 0; i < (to - from) * slot.columns(); i++) {
        out.setAtIndex(JAVA_FLOAT_UNALIGNED, i, middle + 0.2f * (float) random.nextGaussian());
      }
    };
  }

  private static GgufVocabulary wordPiece() {
    List<String> tokens = new ArrayList<>(List.of("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"));
    for (char c = '!'; c <= '~'; c++) {
      if (Character.isUpperCase(c)) continue;
      tokens.add(GgufVocabulary.SPACE + c);
      tokens.add(String.valueOf(c));
    }
    int[] kinds = new int[tokens.size()];
    Arrays.fill(kinds, Kind.NORMAL.number());
    Arrays.fill(kinds, 0, 5, Kind.CONTROL.number());
    Map<String, Object> keys = GgufVocabulary.wordPieceKeys(2, 3, 0, 1, 4, true, true);
    return new GgufVocabulary("bert", tokens, null, kinds, keys);
  }

  private static GgufVocabulary sentencePiece() {
    List<String> tokens = new ArrayList<>(List.of("<pad>", "<eos>", "<bos>", "<unk>", "<mask>"));
    for (int b = 0; b < 256; b++) tokens.add("<0x%02X>".formatted(b));
    int pieces = tokens.size();
    tokens.add(GgufVocabulary.SPACE);
    for (char c = '!'; c <= '~'; c++) tokens.add(String.valueOf(c));
    int[] kinds = new int[tokens.size()];
    Arrays.fill(kinds, Kind.NORMAL.number());
    Arrays.fill(kinds, 0, 5, Kind.CONTROL.number());
    Arrays.fill(kinds, 5, pieces, Kind.BYTE.number());
    kinds[3] = Kind.UNKNOWN.number();
    float[] scores = new float[tokens.size()];
    for (int id = pieces; id < scores.length; id++) scores[id] = pieces - id;
    Map<String, Object> keys = GgufVocabulary.sentencePieceKeys(2, 1, 0, 3, 4, true, true);
    return new GgufVocabulary("llama", tokens, scores, kinds, keys);
  }
}
