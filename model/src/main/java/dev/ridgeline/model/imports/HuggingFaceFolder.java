package dev.ridgeline.model.imports;

import dev.ridgeline.model.ModelException;
import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.GemmaShape;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Slot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A folder as Hugging Face keeps models: config, safetensors, tokenizer, and modules. */
final class HuggingFaceFolder {
  private static final String WORDS = "embeddings.word_embeddings.weight";

  private static final int MOST_LAYERS = 1_000;

  private final Path folder;
  private final Options options;
  private final JsonObject config;
  private final Surroundings around;
  private final List<AutoCloseable> files = new ArrayList<>();

  private HuggingFaceFolder(Path folder, Options options) {
    this.folder = folder;
    this.options = options;
    this.config = Json.read(folder.resolve("config.json"));
    Path last = folder.toAbsolutePath().normalize().getFileName();
    this.around = new Surroundings(folder, last == null ? "model" : last.toString(), options);
  }

  static ModelImport open(Path folder, Options options) {
    HuggingFaceFolder model = new HuggingFaceFolder(folder, options);
    try {
      return model.read();
    } catch (ModelException e) { // sizes that do not fit each other
      ModelImport.closeAll(model.files);
      throw new ImportException(folder, e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      ModelImport.closeAll(model.files);
      throw e;
    }
  }

  private ModelImport read() {
    String type = config.string("model_type");
    return switch (type) {
      case "bert" -> bert();
      case "gemma3_text" -> gemma();
      case "roberta", "xlm-roberta" ->
          throw config.wrong("model_type", "is " + type + ": its tokenizer is not supported");
      default -> throw config.wrong("model_type", "is " + type + ", which is not supported");
    };
  }

  private ModelImport bert() {
    expect("hidden_act", "gelu");
    expect("position_embedding_type", "absolute");
    Weights weights = weights(WORDS);
    Weight words = weights.weight(WORDS);
    int width = config.count("hidden_size");
    int heads = options.heads() > 0 ? options.heads() : config.count("num_attention_heads");
    if (width % heads != 0) throw config.wrong("num_attention_heads", "does not divide " + width);
    BertShape shape =
        new BertShape(
            words.height(),
            config.count("max_position_embeddings"),
            config.count("type_vocab_size", 2),
            layers(),
            width,
            config.count("intermediate_size"),
            heads,
            config.real("layer_norm_eps", 1e-12f),
            around.pooling());
    return finish(shape, weights);
  }

  private ModelImport gemma() {
    expect("hidden_activation", "gelu_pytorch_tanh");
    if (!config.flag("use_bidirectional_attention", false)) {
      throw config.wrong("use_bidirectional_attention", "is off: this Gemma is no embedder");
    }
    int headWidth = config.count("head_dim", 256);
    if (config.real("query_pre_attn_scalar", headWidth) != headWidth) {
      throw config.wrong("query_pre_attn_scalar", "is not head_dim, which is not supported");
    }
    for (String key : List.of("attn_logit_softcapping", "final_logit_softcapping")) {
      if (config.has(key)) throw config.wrong(key, "is set, which is not supported");
    }
    Weights weights = weights("embed_tokens.weight");
    int expanded = dense(weights);
    Weight words = weights.weight("embed_tokens.weight");
    GemmaShape shape =
        new GemmaShape(
            words.height(),
            config.count("max_position_embeddings"),
            layers(),
            config.count("hidden_size"),
            config.count("intermediate_size"),
            config.count("num_attention_heads"),
            config.count("num_key_value_heads"),
            headWidth,
            config.count("sliding_window"),
            pattern(),
            ropeBase("full_attention", config.real("rope_theta", 1e6f)),
            ropeBase("sliding_attention", config.real("rope_local_base_freq", 1e4f)),
            config.real("rms_norm_eps", 1e-6f),
            expanded,
            around.pooling());
    return finish(shape, weights);
  }

  private int layers() {
    int layers = config.count("num_hidden_layers");
    if (layers > MOST_LAYERS) throw config.wrong("num_hidden_layers", "is " + layers);
    return layers;
  }

  /** Every so many-th layer sees all; newer configs list the layers instead. */
  private int pattern() {
    for (String key : List.of("_sliding_window_pattern", "sliding_window_pattern")) {
      if (config.has(key)) return config.count(key);
    }
    if (!config.has("layer_types")) return 6;
    List<?> types = config.array("layer_types");
    int pattern = types.indexOf("full_attention") + 1;
    for (int layer = 0; layer < types.size(); layer++) {
      boolean full = pattern > 0 && (layer + 1) % pattern == 0;
      if (!types.get(layer).equals(full ? "full_attention" : "sliding_attention")) {
        throw config.wrong("layer_types", "follows no simple pattern, which is not supported");
      }
    }
    if (pattern == 0) throw config.wrong("layer_types", "has no full_attention");
    return pattern;
  }

  /** Where newer configs keep it, or as given. */
  private float ropeBase(String layers, float given) {
    if (!config.has("rope_parameters")) return given;
    JsonObject parameters = config.object("rope_parameters");
    return (parameters.has(layers) ? parameters.object(layers) : parameters)
        .real("rope_theta", given);
  }

  /** Adds the dense layers behind the pooling and answers the width between them, or 0. */
  private int dense(Weights weights) {
    Path modules = folder.resolve("modules.json");
    if (!Files.exists(modules)) {
      around.note("no modules.json: the dense layers behind the pooling are left out");
      return 0;
    }
    List<String> names = List.of(GemmaShape.DENSE_2, GemmaShape.DENSE_3);
    List<Weight> found = new ArrayList<>();
    for (Object module : Json.array(modules)) {
      JsonObject each = Surroundings.module(modules, module);
      if (!each.string("type").endsWith("Dense")) continue;
      Path place = around.inside(each.string("path"));
      expectLinear(Json.read(place.resolve("config.json")));
      Safetensors file = Safetensors.open(place.resolve(Safetensors.FILE));
      files.add(file);
      StoredTensor linear = file.tensors().get("linear.weight");
      if (linear == null || linear.shape().size() != 2) {
        throw new ImportException(file.path(), "has no matrix linear.weight");
      }
      if (file.tensors().containsKey("linear.bias")) {
        throw new ImportException(file.path(), "has a bias, which is not supported");
      }
      found.add(new Weight(file.path(), linear));
    }
    if (found.isEmpty()) return 0;
    if (found.size() != names.size()) {
      throw new ImportException(
          modules, "has %d dense layers instead of 2".formatted(found.size()));
    }
    for (int i = 0; i < names.size(); i++) weights.put(names.get(i), found.get(i));
    return found.getFirst().height();
  }

  private static void expectLinear(JsonObject dense) {
    String activation = dense.string("activation_function", "torch.nn.modules.linear.Identity");
    if (!activation.endsWith("Identity")) {
      throw dense.wrong("activation_function", "is " + activation + ", which is not supported");
    }
  }

  /** The weights without the prefix that some savers put before a name that must be there. */
  private Weights weights(String anchor) {
    Safetensors file = Safetensors.inFolder(folder);
    files.add(file);
    String prefix =
        file.tensors().keySet().stream()
            .filter(name -> name.endsWith(anchor))
            .map(name -> name.substring(0, name.length() - anchor.length()))
            .findFirst()
            .orElseThrow(() -> new ImportException(file.path(), "has no tensor " + anchor));
    Weights weights = new Weights(file.path());
    for (Map.Entry<String, StoredTensor> entry : file.tensors().entrySet()) {
      if (!entry.getKey().startsWith(prefix)) continue;
      String name =
          entry
              .getKey()
              .substring(prefix.length())
              .replaceFirst("\\.gamma$", ".weight")
              .replaceFirst("\\.beta$", ".bias");
      weights.put(name, new Weight(file.path(), entry.getValue()));
    }
    return weights;
  }

  private ModelImport finish(Shape shape, Weights weights) {
    Path tokenizer =
        options.tokenizer() == null ? folder.resolve("tokenizer.json") : options.tokenizer();
    boolean gemma = shape instanceof GemmaShape;
    GgufVocabulary vocabulary =
        gemma ? GgufVocabulary.bpe(tokenizer) : GgufVocabulary.wordPiece(tokenizer);
    Draft draft = new Draft(shape, around.name(), vocabulary.fitted(shape, tokenizer));
    around.prompts(draft);
    for (Slot slot : shape.slots()) {
      Weight weight = weights.weight(slot.original()).checked(slot);
      draft.add(slot, gemma && slot.kind() == Slot.Kind.NORM ? weight.shifted(1) : weight);
    }
    return new ModelImport(around.name(), shape, draft, around.notes(), files);
  }

  private void expect(String key, String value) {
    if (config.has(key) && !config.string(key).equals(value)) {
      throw config.wrong(key, "is " + config.string(key) + ", which is not supported");
    }
  }
}
