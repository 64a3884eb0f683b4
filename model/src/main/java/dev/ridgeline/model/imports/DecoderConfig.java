package dev.ridgeline.model.imports;

import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Rope;
import dev.ridgeline.model.shape.Rope.Scaling;
import java.util.List;

/** The sizes of a decoder out of its {@code config.json} and the tensors that it has. */
final class DecoderConfig {
  private static final String FULL = "full_attention";
  static final String OUTPUT = "lm_head.weight";

  private final ModelConfig config;
  private final JsonObject json;
  private final Weights weights;
  private final Surroundings around;

  DecoderConfig(ModelConfig config, Weights weights, Surroundings around) {
    this.config = config;
    this.json = config.json();
    this.weights = weights;
    this.around = around;
  }

  Gpt2Shape gpt2() {
    config.expect("activation_function", "gelu_new");
    config.expect("scale_attn_weights", true);
    config.expect("scale_attn_by_inverse_layer_idx", false);
    config.expect("add_cross_attention", false);
    int width = json.count("n_embd");
    return new Gpt2Shape(
        weights.weight("wte.weight").height(),
        weights.weight("wpe.weight").height(),
        config.layers("n_layer"),
        width,
        json.count("n_inner", Math.multiplyExact(4, width)),
        json.count("n_head"),
        json.real("layer_norm_epsilon", 1e-5f),
        tied());
  }

  DecoderShape of(DecoderFamily family) {
    boolean gemma = family == DecoderFamily.GEMMA3;
    config.expect(gemma ? "hidden_activation" : "hidden_act", gemma ? "gelu_pytorch_tanh" : "silu");
    config.expect("mlp_bias", false);
    // In Qwen 2 they go without saying; elsewhere they include one that is not known here.
    if (!family.needsBias()) config.expect("attention_bias", false);
    int heads = json.count("num_attention_heads");
    int width = json.count("hidden_size");
    int layers = config.layers("num_hidden_layers");
    int headWidth = json.count("head_dim", gemma ? 256 : Math.max(1, width / heads));
    int context = context(family);
    Rope rope = rope(headWidth, context, gemma ? 1e6f : 1e4f);
    DecoderShape shape =
        new DecoderShape(
            family,
            weights.weight("embed_tokens.weight").height(),
            context,
            layers,
            width,
            json.count("intermediate_size"),
            heads,
            json.count("num_key_value_heads", heads),
            headWidth,
            rope,
            weights.has(Weights.ROPE_FACTORS),
            gemma ? windows() : null,
            json.real("rms_norm_eps", 1e-6f),
            family.needsBias()
                || json.flag("attention_bias", weights.has("layers.0.self_attn.q_proj.bias")),
            tied(),
            pooling(family));
    if (gemma) checkScale(shape);
    return shape;
  }

  /** Whether the table of tokens stands in for the last matrix, also where that is stored, too. */
  private boolean tied() {
    return json.flag("tie_word_embeddings", !weights.has(OUTPUT));
  }

  /** What it was made for, or the window where all layers have one: until there, it is the same. */
  private int context(DecoderFamily family) {
    int context = json.count("max_position_embeddings");
    boolean windowed =
        family != DecoderFamily.GEMMA3
            && json.has("sliding_window")
            && json.flag("use_sliding_window", true);
    if (!windowed || json.count("sliding_window") >= context) return context;
    int window = json.count("sliding_window");
    around.note("context %d: its layers see no further (sliding_window)".formatted(window));
    return window;
  }

  private DecoderShape.Windows windows() {
    for (String key : List.of("attn_logit_softcapping", "final_logit_softcapping")) {
      config.expectNone(key);
    }
    return new DecoderShape.Windows(
        json.count("sliding_window"),
        config.pattern(),
        config.ropeBase("sliding_attention", "rope_local_base_freq", 1e4f));
  }

  /** GGUF does not say by what attention is scaled: it follows from sizes, or the model is odd. */
  private void checkScale(DecoderShape shape) {
    float scalar = json.real("query_pre_attn_scalar", 256);
    double expected = 1 / Math.sqrt(scalar);
    if (Math.abs(shape.scale() - expected) > 1e-6 * expected) {
      throw json.wrong("query_pre_attn_scalar", "is " + scalar + ", which is not supported");
    }
  }

  private Rope rope(int headWidth, int context, float usualBase) {
    if (json.real("partial_rotary_factor", 1) != 1) {
      throw json.wrong("partial_rotary_factor", "is not 1, which is not supported");
    }
    float base = config.ropeBase(FULL, "rope_theta", usualBase);
    JsonObject scaling = config.ropeScaling(FULL);
    String kind =
        scaling == null
            ? "default"
            : scaling.string("rope_type", scaling.string("type", "default"));
    return switch (kind) {
      case "default" -> Rope.of(headWidth, base);
      case "linear" ->
          new Rope(headWidth, base, Scaling.LINEAR, scaling.real("factor", 1), context, 1);
      case "llama3" -> {
        weights.put(Weights.ROPE_FACTORS, factors(scaling, headWidth, base));
        yield Rope.of(headWidth, base);
      }
      case "yarn" -> yarn(scaling, headWidth, base, context);
      default -> throw scaling.wrong("rope_type", "is " + kind + ", which is not supported");
    };
  }

  private Weight factors(JsonObject scaling, int headWidth, float base) {
    for (String key : List.of("factor", "low_freq_factor", "high_freq_factor")) {
      if (!scaling.has(key)) throw scaling.wrong(key, "is missing");
    }
    float[] factors =
        Rope.llama3Factors(
            headWidth,
            base,
            scaling.real("factor", 1),
            scaling.real("low_freq_factor", 1),
            scaling.real("high_freq_factor", 4),
            scaling.count("original_max_position_embeddings"));
    for (float factor : factors) {
      if (!Float.isFinite(factor)) throw scaling.wrong("high_freq_factor", "gives no frequencies");
    }
    return new Weight(json.path(), StoredTensor.of(Weights.ROPE_FACTORS, factors));
  }

  private static Rope yarn(JsonObject scaling, int headWidth, float base, int context) {
    for (String key : List.of("beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate")) {
      if (scaling.has(key)) throw scaling.wrong(key, "is set, which is not supported");
    }
    float factor = scaling.real("factor", 1);
    double usual = 1 + 0.1 * Math.log(factor);
    float attention = (float) (scaling.real("attention_factor", (float) usual) / usual);
    int original = scaling.count("original_max_position_embeddings", context);
    return new Rope(headWidth, base, Scaling.YARN, factor, original, attention);
  }

  /** Only a folder that says how texts are pooled is of an embedder. */
  private Pooling pooling(DecoderFamily family) {
    return family == DecoderFamily.QWEN3 && around.saysPooling() ? around.pooling() : null;
  }
}
