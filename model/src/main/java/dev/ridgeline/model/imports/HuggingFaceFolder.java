package dev.ridgeline.model.imports;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.imports.ModelImport.Options;
import dev.ridgeline.model.json.JsonValue;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Sizes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A folder as Hugging Face keeps models: config, safetensors, tokenizer, and modules. */
final class HuggingFaceFolder {
  private static final String WORDS = "embeddings.word_embeddings.weight";

  private final Path folder;
  private final Options options;
  private final JsonValue config;
  private final ModelConfig model;
  private final Surroundings around;
  private final List<AutoCloseable> files = new ArrayList<>();

  private HuggingFaceFolder(Path folder, Options options) {
    this.folder = folder;
    this.options = options;
    this.config = JsonFile.read(folder.resolve("config.json"));
    this.model = new ModelConfig(config);
    Path last = folder.toAbsolutePath().normalize().getFileName();
    this.around = new Surroundings(folder, last == null ? "model" : last.toString(), options);
  }

  static ModelImport open(Path folder, Options options) {
    HuggingFaceFolder model = new HuggingFaceFolder(folder, options);
    return ModelImport.read(folder, model.files, model::read);
  }

  private ModelImport read() {
    for (String key : List.of("quantization_config", "compression_config")) model.expectNone(key);
    String type = config.at("model_type").string();
    return switch (type) {
      case "bert" -> bert();
      case "gemma3_text" ->
          config.at("use_bidirectional_attention").flag(false)
              ? decoder(DecoderFamily.GEMMA_EMBEDDING)
              : decoder(DecoderFamily.GEMMA3);
      case "llama", "mistral" -> decoder(DecoderFamily.LLAMA);
      case "qwen2" -> decoder(DecoderFamily.QWEN2);
      case "qwen3" -> decoder(DecoderFamily.QWEN3);
      case "gpt2" -> gpt2();
      case "roberta", "xlm-roberta" ->
          throw config.at("model_type").wrong("is " + type + ": its tokenizer is not supported");
      default -> throw config.at("model_type").wrong("is " + type + ", which is not supported");
    };
  }

  private ModelImport bert() {
    model.expect("hidden_act", "gelu");
    model.expect("position_embedding_type", "absolute");
    SourceWeights weights = weights(WORDS);
    Weight words = weights.weight(WORDS);
    int width = config.at("hidden_size").count();
    int heads = options.heads() > 0 ? options.heads() : config.at("num_attention_heads").count();
    if (width % heads != 0)
      throw config.at("num_attention_heads").wrong("does not divide " + width);
    Sizes sizes =
        Sizes.of(
            words.height(),
            config.at("max_position_embeddings").count(),
            model.layers("num_hidden_layers"),
            width,
            config.at("intermediate_size").count(),
            heads);
    int types = config.at("type_vocab_size").count(2);
    float epsilon = config.at("layer_norm_eps").real(1e-12f);
    return finish(new BertShape(sizes, types, epsilon, around.pooling()), weights);
  }

  private ModelImport decoder(DecoderFamily family) {
    SourceWeights weights = weights("embed_tokens.weight");
    int expanded = family.bidirectional() ? dense(weights) : 0;
    DecoderShape shape = new DecoderConfig(model, weights, around).of(family, expanded);
    options.requireHeads(config.file(), shape.heads());
    return finish(shape, weights);
  }

  private ModelImport gpt2() {
    SourceWeights weights = weights("wte.weight");
    Gpt2Shape shape = new DecoderConfig(model, weights, around).gpt2();
    options.requireHeads(config.file(), shape.heads());
    return finish(shape, weights);
  }

  /** Adds the dense layers behind the pooling and answers the width between them, or 0. */
  private int dense(SourceWeights weights) {
    Path modules = folder.resolve("modules.json");
    if (!Files.exists(modules)) {
      around.note("no modules.json: the dense layers after pooling are left out");
      return 0;
    }
    List<Weight> found = new ArrayList<>();
    for (JsonValue each : JsonFile.read(modules).elements()) {
      if (!each.at("type").string().endsWith("Dense")) continue;
      Path place = around.inside(each.at("path").string());
      expectLinear(JsonFile.read(place.resolve("config.json")));
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
    if (found.size() != DecoderShape.DENSE.size()) {
      throw new ImportException(
          modules, "has %d dense layers instead of 2".formatted(found.size()));
    }
    for (int i = 0; i < found.size(); i++) {
      weights.put(DecoderShape.DENSE.get(i) + ".weight", found.get(i));
    }
    return found.getFirst().height();
  }

  private static void expectLinear(JsonValue dense) {
    String activation = dense.at("activation_function").string("torch.nn.modules.linear.Identity");
    if (!activation.endsWith("Identity")) {
      throw dense.at("activation_function").wrong("is " + activation + ", which is not supported");
    }
  }

  private SourceWeights weights(String anchor) {
    Safetensors file = Safetensors.inFolder(folder);
    files.add(file);
    return SourceWeights.of(file.path(), file.tensors(), anchor);
  }

  private ModelImport finish(Shape shape, SourceWeights weights) {
    Path tokenizer = tokenizer();
    GgufVocabulary vocabulary = ModelImport.fitted(vocabulary(shape, tokenizer), shape, tokenizer);
    ModelImport made = ModelImport.of(around, shape, vocabulary, weights, files);
    if (!(shape instanceof BertShape)) {
      String template = TokenizerConfig.in(folder).chatTemplate();
      if (template != null) made.put("tokenizer.chat_template", template);
    }
    weights.requireAllTaken(shape);
    return made;
  }

  private Path tokenizer() {
    if (options.tokenizer() != null) return options.tokenizer();
    Path json = folder.resolve("tokenizer.json");
    Path pieces = folder.resolve("tokenizer.model");
    return !Files.exists(json) && Files.exists(pieces) ? pieces : json;
  }

  private GgufVocabulary vocabulary(Shape shape, Path tokenizer) {
    if (shape instanceof BertShape) return TokenizerJson.read(tokenizer).gguf();
    boolean json = !tokenizer.toString().endsWith(".model");
    GgufVocabulary vocabulary =
        json ? BpeJson.read(tokenizer).gguf() : SentencePieceFile.read(tokenizer);
    return shape instanceof DecoderShape decoder && decoder.family().bidirectional()
        ? vocabulary
        : TokenizerConfig.in(folder).refined(vocabulary);
  }
}
