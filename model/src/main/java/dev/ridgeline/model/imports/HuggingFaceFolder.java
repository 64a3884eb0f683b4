package dev.ridgeline.model.imports;

import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.GemmaShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Slot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A folder as Hugging Face keeps models: config, safetensors, tokenizer, and modules. */
final class HuggingFaceFolder {
  private static final String WORDS = "embeddings.word_embeddings.weight";

  private final Path folder;
  private final Options options;
  private final JsonObject config;
  private final ModelConfig model;
  private final Surroundings around;
  private final List<AutoCloseable> files = new ArrayList<>();

  private HuggingFaceFolder(Path folder, Options options) {
    this.folder = folder;
    this.options = options;
    this.config = Json.read(folder.resolve("config.json"));
    this.model = new ModelConfig(config);
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
    for (String key : List.of("quantization_config", "compression_config")) model.expectNone(key);
    String type = config.string("model_type");
    return switch (type) {
      case "bert" -> bert();
      case "gemma3_text" ->
          config.flag("use_bidirectional_attention", false)
              ? gemma()
              : decoder(DecoderFamily.GEMMA3);
      case "llama", "mistral" -> decoder(DecoderFamily.LLAMA);
      case "qwen2" -> decoder(DecoderFamily.QWEN2);
      case "qwen3" -> decoder(DecoderFamily.QWEN3);
      case "gpt2" -> gpt2();
      case "roberta", "xlm-roberta" ->
          throw config.wrong("model_type", "is " + type + ": its tokenizer is not supported");
      default -> throw config.wrong("model_type", "is " + type + ", which is not supported");
    };
  }

  private ModelImport bert() {
    model.expect("hidden_act", "gelu");
    model.expect("position_embedding_type", "absolute");
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
            model.layers("num_hidden_layers"),
            width,
            config.count("intermediate_size"),
            heads,
            config.real("layer_norm_eps", 1e-12f),
            around.pooling());
    return finish(shape, weights);
  }

  private ModelImport decoder(DecoderFamily family) {
    Weights weights = weights("embed_tokens.weight");
    DecoderShape shape = new DecoderConfig(model, weights, around).of(family);
    options.requireHeads(config.path(), shape.heads());
    return finish(shape, weights);
  }

  private ModelImport gpt2() {
    Weights weights = weights("wte.weight");
    Gpt2Shape shape = new DecoderConfig(model, weights, around).gpt2();
    options.requireHeads(config.path(), shape.heads());
    return finish(shape, weights);
  }

  private ModelImport gemma() {
    model.expect("hidden_activation", "gelu_pytorch_tanh");
    int headWidth = config.count("head_dim", 256);
    if (config.real("query_pre_attn_scalar", headWidth) != headWidth) {
      throw config.wrong("query_pre_attn_scalar", "is not head_dim, which is not supported");
    }
    for (String key : List.of("attn_logit_softcapping", "final_logit_softcapping")) {
      model.expectNone(key);
    }
    Weights weights = weights("embed_tokens.weight");
    int expanded = dense(weights);
    Weight words = weights.weight("embed_tokens.weight");
    GemmaShape shape =
        new GemmaShape(
            words.height(),
            config.count("max_position_embeddings"),
            model.layers("num_hidden_layers"),
            config.count("hidden_size"),
            config.count("intermediate_size"),
            config.count("num_attention_heads"),
            config.count("num_key_value_heads"),
            headWidth,
            config.count("sliding_window"),
            model.pattern(),
            model.ropeBase("full_attention", "rope_theta", 1e6f),
            model.ropeBase("sliding_attention", "rope_local_base_freq", 1e4f),
            config.real("rms_norm_eps", 1e-6f),
            expanded,
            around.pooling());
    options.requireHeads(config.path(), shape.heads());
    return finish(shape, weights);
  }

  /** Adds the dense layers behind the pooling and answers the width between them, or 0. */
  private int dense(Weights weights) {
    Path modules = folder.resolve("modules.json");
    if (!Files.exists(modules)) {
      around.note("no modules.json: the dense layers after pooling are left out");
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
    // The matrix behind the last layer stands outside; what has the prefix goes before.
    file.tensors().forEach((name, tensor) -> put(weights, name, tensor));
    file.tensors()
        .forEach(
            (name, tensor) -> {
              if (name.startsWith(prefix)) put(weights, name.substring(prefix.length()), tensor);
            });
    return weights;
  }

  private static void put(Weights weights, String name, StoredTensor tensor) {
    String now = name.replaceFirst("\\.gamma$", ".weight").replaceFirst("\\.beta$", ".bias");
    weights.put(now, new Weight(weights.path(), tensor));
  }

  private ModelImport finish(Shape shape, Weights weights) {
    Path tokenizer = tokenizer();
    GgufVocabulary vocabulary = vocabulary(shape, tokenizer);
    Draft draft = new Draft(shape, around.name(), vocabulary.fitted(shape, tokenizer));
    around.prompts(draft);
    if (!(shape instanceof BertShape)) {
      String template = TokenizerConfig.in(folder).chatTemplate();
      if (template != null) draft.put("tokenizer.chat_template", template);
    }
    for (Slot slot : shape.slots()) {
      draft.add(slot, weights.weight(slot.original()).changed(slot.change()).checked(slot));
    }
    weights.requireAllTaken(shape);
    return new ModelImport(around.name(), shape, draft, around.notes(), files);
  }

  private Path tokenizer() {
    if (options.tokenizer() != null) return options.tokenizer();
    Path json = folder.resolve("tokenizer.json");
    Path pieces = folder.resolve("tokenizer.model");
    return !Files.exists(json) && Files.exists(pieces) ? pieces : json;
  }

  private GgufVocabulary vocabulary(Shape shape, Path tokenizer) {
    if (shape instanceof BertShape) return GgufVocabulary.wordPiece(tokenizer);
    boolean json = !tokenizer.toString().endsWith(".model");
    GgufVocabulary vocabulary =
        json ? GgufVocabulary.bpe(tokenizer) : SentencePieceFile.read(tokenizer);
    return shape instanceof GemmaShape
        ? vocabulary
        : TokenizerConfig.in(folder).refined(vocabulary);
  }
}
