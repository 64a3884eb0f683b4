package dev.ridgeline.model.imports;

import dev.ridgeline.model.json.JsonValue;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Rope;
import dev.ridgeline.model.shape.Rope.Scaling;
import dev.ridgeline.model.shape.Sizes;
import java.util.List;

/** The sizes of a decoder out of its {@code config.json} and the tensors that it has. */
record DecoderConfig(ModelConfig config, SourceWeights weights, Surroundings around) {
  private static final String FULL = "full_attention";
  static final String OUTPUT = "lm_head.weight";

  private JsonValue json() {
    return config.json();
  }

  Gpt2Shape gpt2() {
    config.expect("activation_function", "gelu_new");
    config.expect("scale_attn_weights", true);
    config.expect("scale_attn_by_inverse_layer_idx", false);
    config.expect("add_cross_attention", false);
    int width = json().at("n_embd").count();
    Sizes sizes =
        Sizes.of(
            weights.weight("wte.weight").height(),
            weights.weight("wpe.weight").height(),
            config.layers("n_layer"),
            width,
            json().at("n_inner").count(Math.multiplyExact(4, width)),
            json().at("n_head").count());
    return new Gpt2Shape(sizes, json().at("layer_norm_epsilon").real(1e-5f), tied());
  }

  /**
   * @param expanded width between the dense layers after the pooling, 0 where there are none
   */
  DecoderShape of(DecoderFamily family, int expanded) {
    boolean gemma = family.windowed();
    config.expect(gemma ? "hidden_activation" : "hidden_act", gemma ? "gelu_pytorch_tanh" : "silu");
    config.expect("mlp_bias", false);
    // In Qwen 2 they go without saying; elsewhere they include one that is not known here.
    if (!family.needsBias()) config.expect("attention_bias", false);
    int heads = json().at("num_attention_heads").count();
    int width = json().at("hidden_size").count();
    int headWidth = json().at("head_dim").count(gemma ? 256 : Math.max(1, width / heads));
    Sizes sizes =
        new Sizes(
            weights.weight("embed_tokens.weight").height(),
            context(family),
            config.layers("num_hidden_layers"),
            width,
            json().at("intermediate_size").count(),
            heads,
            json().at("num_key_value_heads").count(heads),
            headWidth);
    boolean bias =
        family.needsBias()
            || json().at("attention_bias").flag(weights.has("layers.0.self_attn.q_proj.bias"));
    Rope rope = rope(headWidth, sizes.context(), gemma ? 1e6f : 1e4f);
    DecoderShape shape =
        new DecoderShape(
            family,
            sizes,
            rope,
            weights.has(SourceWeights.ROPE_FACTORS),
            gemma ? windows() : null,
            json().at("rms_norm_eps").real(1e-6f),
            bias,
            tied(),
            pooling(family),
            expanded);
    if (gemma) checkScale(shape);
    return shape;
  }

  /** Whether the table of tokens stands in for the last matrix, also where that is stored, too. */
  private boolean tied() {
    return json().at("tie_word_embeddings").flag(!weights.has(OUTPUT));
  }

  /** What it was made for, or the window where all layers have one: until there, it is the same. */
  private int context(DecoderFamily family) {
    int context = json().at("max_position_embeddings").count();
    boolean windowed =
        !family.windowed()
            && json().has("sliding_window")
            && json().at("use_sliding_window").flag(true);
    if (!windowed || json().at("sliding_window").count() >= context) return context;
    int window = json().at("sliding_window").count();
    around.note("context %d: its layers see no further (sliding_window)".formatted(window));
    return window;
  }

  private DecoderShape.Windows windows() {
    for (String key : List.of("attn_logit_softcapping", "final_logit_softcapping")) {
      config.expectNone(key);
    }
    return new DecoderShape.Windows(
        json().at("sliding_window").count(),
        config.pattern(),
        config.ropeBase("sliding_attention", "rope_local_base_freq", 1e4f));
  }

  /** GGUF does not say by what attention is scaled: it follows from sizes, or the model is odd. */
  private void checkScale(DecoderShape shape) {
    float scalar = json().at("query_pre_attn_scalar").real(256);
    double expected = 1 / Math.sqrt(scalar);
    if (Math.abs(shape.scale() - expected) > 1e-6 * expected) {
      throw json().at("query_pre_attn_scalar").wrong("is " + scalar + ", which is not supported");
    }
  }

  private Rope rope(int headWidth, int context, float usualBase) {
    if (json().at("partial_rotary_factor").real(1) != 1) {
      throw json().at("partial_rotary_factor").wrong("is not 1, which is not supported");
    }
    float base = config.ropeBase(FULL, "rope_theta", usualBase);
    JsonValue scaling = config.ropeScaling(FULL);
    String kind =
        scaling == null
            ? "default"
            : scaling.at("rope_type").string(scaling.at("type").string("default"));
    return switch (kind) {
      case "default" -> Rope.of(headWidth, base);
      case "linear" ->
          new Rope(headWidth, base, Scaling.LINEAR, scaling.at("factor").real(1), context, 1);
      case "llama3" -> {
        weights.put(SourceWeights.ROPE_FACTORS, factors(scaling, headWidth, base));
        yield Rope.of(headWidth, base);
      }
      case "yarn" -> yarn(scaling, headWidth, base, context);
      default -> throw scaling.at("rope_type").wrong("is " + kind + ", which is not supported");
    };
  }

  private Weight factors(JsonValue scaling, int headWidth, float base) {
    for (String key : List.of("factor", "low_freq_factor", "high_freq_factor")) {
      if (!scaling.has(key)) throw scaling.at(key).wrong("is missing");
    }
    float[] factors =
        Rope.llama3Factors(
            headWidth,
            base,
            scaling.at("factor").real(1),
            scaling.at("low_freq_factor").real(1),
            scaling.at("high_freq_factor").real(4),
            scaling.at("original_max_position_embeddings").count());
    for (float factor : factors) {
      if (!Float.isFinite(factor))
        throw scaling.at("high_freq_factor").wrong("gives no frequencies");
    }
    return new Weight(json().file(), StoredTensor.of(SourceWeights.ROPE_FACTORS, factors));
  }

  private static Rope yarn(JsonValue scaling, int headWidth, float base, int context) {
    for (String key : List.of("beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate")) {
      if (scaling.has(key)) throw scaling.at(key).wrong("is set, which is not supported");
    }
    float factor = scaling.at("factor").real(1);
    double usual = 1 + 0.1 * Math.log(factor);
    float attention = (float) (scaling.at("attention_factor").real((float) usual) / usual);
    int original = scaling.at("original_max_position_embeddings").count(context);
    return new Rope(headWidth, base, Scaling.YARN, factor, original, attention);
  }

  /** Only a folder of Qwen 3 that says how texts are pooled is of an embedder. */
  private Pooling pooling(DecoderFamily family) {
    boolean embeds =
        family.bidirectional() || family == DecoderFamily.QWEN3 && around.saysPooling();
    return embeds ? around.pooling() : null;
  }
}
