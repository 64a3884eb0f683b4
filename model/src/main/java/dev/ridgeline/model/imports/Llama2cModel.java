package dev.ridgeline.model.imports;

import dev.ridgeline.model.draft.Draft;
import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Sizes;
import dev.ridgeline.model.shape.Slot;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A checkpoint of llama2.c in its first format: seven sizes, then f32 numbers kind by kind, each
 * for all layers; and the {@code tokenizer.bin} beside it.
 *
 * <p>Its rope turns neighbours, as that of GGUF's {@code llama} does, so no row changes its place.
 */
final class Llama2cModel {
  private static final int HEADER = 7 * 4;
  private static final int MOST = 1 << 24;
  private static final int MOST_LAYERS = 1_000;
  private static final int LATER_FORMATS = 0x616b3432;
  private static final int ZIP = 0x04034b50;

  private final Path path;
  private final Mapping file;
  private final Options options;

  /** By their names in GGUF. */
  private final Map<String, Weight> weights = new HashMap<>();

  private long at = HEADER;

  private Llama2cModel(Mapping file, Options options) {
    this.path = file.path();
    this.file = file;
    this.options = options;
  }

  static ModelImport open(Path path, Options options) {
    return of(Mapping.of(path), options);
  }

  /** Takes the file over, also when it is refused. */
  static ModelImport of(Mapping file, Options options) {
    return ModelImport.read(
        file.path(), List.of(file), () -> new Llama2cModel(file, options).read());
  }

  private ModelImport read() {
    DecoderShape shape = shape();
    arrange(shape);
    Path tokenizer = options.tokenizer(path, path.resolveSibling("tokenizer.bin"));
    GgufVocabulary vocabulary = Llama2cTokenizer.read(tokenizer, shape.vocabulary());
    Draft draft = new Draft(shape, name(), vocabulary);
    for (Slot slot : shape.slots()) draft.add(slot, weights.get(slot.name()).checked(slot));
    return new ModelImport(name(), shape, draft, List.of(), List.of(file));
  }

  private DecoderShape shape() {
    if (file.size() < HEADER) throw new ImportException(path, "is too short for llama2.c");
    switch (size(0)) {
      case LATER_FORMATS ->
          throw new ImportException(
              path, "is llama2.c's format %d; its first one, 0, is read".formatted(size(1)));
      case ZIP ->
          throw new ImportException(
              path, "is a file of PyTorch, not of llama2.c; take the model as safetensors");
      default -> {}
    }
    int width = count("dim", 0, MOST);
    int heads = count("n_heads", 3, MOST);
    options.requireHeads(path, heads);
    if (width % heads != 0) {
      throw new ImportException(path, "%d heads do not divide %d".formatted(heads, width));
    }
    // Less than 0 says that the matrix behind the last layer is one of its own.
    int words = size(5);
    int vocabulary = words == Integer.MIN_VALUE ? 0 : Math.abs(words);
    if (vocabulary < 1 || vocabulary > MOST) throw insane("vocab_size", words);
    Sizes sizes =
        new Sizes(
            vocabulary,
            count("seq_len", 6, MOST),
            count("n_layers", 2, MOST_LAYERS),
            width,
            count("hidden_dim", 1, MOST),
            heads,
            count("n_kv_heads", 4, MOST),
            width / heads);
    return DecoderShape.plain(DecoderFamily.LLAMA, sizes, 10_000, 1e-5f, words > 0);
  }

  private int count(String name, int index, int most) {
    int value = size(index);
    if (value < 1 || value > most) throw insane(name, value);
    return value;
  }

  private ImportException insane(String name, int value) {
    return new ImportException(path, "is not of llama2.c: %s is %d".formatted(name, value));
  }

  private int size(int index) {
    return file.bytes().get(StoredTensor.INT, index * 4L);
  }

  private void arrange(DecoderShape shape) {
    long width = shape.width();
    long hidden = shape.hidden();
    long keys = (long) shape.kvHeads() * shape.headWidth();
    int layers = shape.layers();
    put("token_embd", shape.vocabulary(), width);
    putAll(layers, "attn_norm", 1, width);
    putAll(layers, "attn_q", width, width);
    putAll(layers, "attn_k", keys, width);
    putAll(layers, "attn_v", keys, width);
    putAll(layers, "attn_output", width, width);
    putAll(layers, "ffn_norm", 1, width);
    putAll(layers, "ffn_gate", hidden, width);
    putAll(layers, "ffn_down", width, hidden);
    putAll(layers, "ffn_up", hidden, width);
    put("output_norm", 1, width);
    at += 4L * shape.context() * shape.headWidth(); // cosines and sines, which are known
    if (!shape.tied()) put("output", shape.vocabulary(), width);
    if (at != file.size()) {
      throw new ImportException(
          path,
          at > file.size()
              ? "the file is truncated: %,d bytes of %,d".formatted(file.size(), at)
              : "is not of llama2.c: %,d bytes instead of %,d".formatted(file.size(), at));
    }
  }

  private void putAll(int layers, String name, long rows, long columns) {
    for (int layer = 0; layer < layers; layer++) put("blk." + layer + "." + name, rows, columns);
  }

  private void put(String name, long rows, long columns) {
    long bytes = 4 * rows * columns;
    if (bytes <= file.size() - at) { // else arrange says how much is missing
      List<Long> shape = rows == 1 ? List.of(columns) : List.of(rows, columns);
      var data = file.bytes().asSlice(at, bytes);
      String full = name + ".weight";
      weights.put(full, new Weight(path, new StoredTensor(full, ElementType.F32, shape, data)));
    }
    at += bytes;
  }

  private String name() {
    if (options.name() != null) return options.name();
    return path.getFileName().toString().replaceFirst("(?i)\\.bin$", "");
  }
}
