package dev.ridgeline.model.imports;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.Sizes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An ONNX encoder with the tokenizer beside it. */
final class OnnxModel {
  private static final float USUAL_EPSILON = 1e-12f;

  private static final Pattern LAYER = Pattern.compile("encoder\\.layer\\.(\\d{1,3})\\..*");

  private final Path path;
  private final Options options;
  private final OnnxEncoder encoder;
  private final SourceWeights weights;
  private final Surroundings around;

  private OnnxModel(OnnxFile file, Options options) {
    this.path = file.path().toAbsolutePath();
    this.options = options;
    this.encoder = new OnnxEncoder(file);
    this.weights = encoder.weights();
    this.around = new Surroundings(home(), name(), options);
  }

  static ModelImport open(Path path, Options options) {
    return of(OnnxFile.open(path), options);
  }

  /** Takes the file over, also when it is refused. */
  static ModelImport of(OnnxFile file, Options options) {
    return ModelImport.read(
        file.path(), List.of(file), () -> new OnnxModel(file, options).read(file));
  }

  private ModelImport read(OnnxFile file) {
    BertShape shape = shape();
    Path beside = path.resolveSibling(stem() + "-tokenizer.json");
    Path usual = path.resolveSibling("tokenizer.json");
    Path tokenizer = options.tokenizer(path, home().resolve("tokenizer.json"), beside, usual);
    GgufVocabulary vocabulary =
        ModelImport.fitted(TokenizerJson.read(tokenizer).gguf(), shape, tokenizer);
    return ModelImport.of(around, shape, vocabulary, weights, List.of(file));
  }

  private BertShape shape() {
    Weight words = weights.weight("embeddings.word_embeddings.weight");
    int width = words.width();
    float epsilon = encoder.epsilon();
    if (epsilon == 0) {
      epsilon = USUAL_EPSILON;
      around.note("epsilon of norms %s: the graph does not say".formatted(epsilon));
    }
    Sizes sizes =
        Sizes.of(
            words.height(),
            weights.weight("embeddings.position_embeddings.weight").height(),
            layers(),
            width,
            weights.weight("encoder.layer.0.intermediate.dense.weight").height(),
            heads(width));
    int types = weights.weight("embeddings.token_type_embeddings.weight").height();
    return new BertShape(sizes, types, epsilon, around.pooling());
  }

  private int layers() {
    int layers = 0;
    for (String name : weights.names()) {
      Matcher matcher = LAYER.matcher(name);
      if (matcher.matches()) layers = Math.max(layers, Integer.parseInt(matcher.group(1)) + 1);
    }
    return layers;
  }

  /** As told, as the graph splits rows, as the config says, or as this width usually has. */
  private int heads(int width) {
    int heads = options.heads() > 0 ? options.heads() : encoder.heads(width);
    Path config = home().resolve("config.json");
    if (heads == 0 && Files.exists(config))
      heads = JsonFile.read(config).at("num_attention_heads").count();
    if (heads == 0) {
      heads =
          switch (width) {
            case 384, 768 -> 12;
            case 1024 -> 16;
            default -> throw new ImportException(path, "does not say its heads; give --heads");
          };
      around.note("%d heads: what models of width %d usually have".formatted(heads, width));
    }
    if (width % heads != 0) {
      throw new ImportException(path, "%d heads do not divide %d".formatted(heads, width));
    }
    return heads;
  }

  /** The folder that speaks for the model: in {@code onnx/model.onnx} it is the one above. */
  private Path home() {
    Path folder = path.getParent();
    boolean inside = folder.getFileName() != null && folder.getFileName().toString().equals("onnx");
    return inside && folder.getParent() != null ? folder.getParent() : folder;
  }

  private String name() {
    String stem = stem();
    Path folder = home().getFileName();
    return stem.equals("model") && folder != null ? folder.toString() : stem;
  }

  private String stem() {
    return path.getFileName().toString().replaceFirst("(?i)\\.onnx$", "");
  }
}
