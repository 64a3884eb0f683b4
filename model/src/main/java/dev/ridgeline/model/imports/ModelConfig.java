package dev.ridgeline.model.imports;

import dev.ridgeline.model.json.JsonValue;
import java.util.List;

/**
 * The {@code config.json} of a Hugging Face folder: what several kinds of models say alike, in the
 * words of older and newer files.
 */
record ModelConfig(JsonValue json) {
  private static final int MOST_LAYERS = 1_000;

  int layers(String key) {
    int layers = json.at(key).count();
    if (layers > MOST_LAYERS) throw json.at(key).wrong("is " + layers);
    return layers;
  }

  /** Refuses any other value than one; a key that is not there has it. */
  void expect(String key, String value) {
    if (json.has(key) && !json.at(key).string().equals(value)) {
      throw json.at(key).wrong("is " + json.at(key).string() + ", which is not supported");
    }
  }

  /** Refuses a switch that is not as it usually is. */
  void expect(String key, boolean value) {
    if (json.at(key).flag(value) != value) {
      throw json.at(key).wrong("is %s, which is not supported".formatted(!value));
    }
  }

  /** Refuses a key that says anything. */
  void expectNone(String key) {
    if (json.has(key)) throw json.at(key).wrong("is set, which is not supported");
  }

  /** Every so many-th layer sees all; newer configs list the layers instead. */
  int pattern() {
    for (String key : List.of("_sliding_window_pattern", "sliding_window_pattern")) {
      if (json.has(key)) return json.at(key).count();
    }
    if (!json.has("layer_types")) return 6;
    List<String> types = json.at("layer_types").elements().stream().map(JsonValue::string).toList();
    int pattern = types.indexOf("full_attention") + 1;
    for (int layer = 0; layer < types.size(); layer++) {
      boolean full = pattern > 0 && (layer + 1) % pattern == 0;
      if (!(full ? "full_attention" : "sliding_attention").equals(types.get(layer))) {
        throw json.at("layer_types").wrong("follows no simple pattern, which is not supported");
      }
    }
    if (pattern == 0) throw json.at("layer_types").wrong("has no full_attention");
    return pattern;
  }

  /**
   * The base of rope.
   *
   * @param layers the kind of layers, where a model has several
   * @param key what older configs call it
   */
  float ropeBase(String layers, String key, float usual) {
    float given = json.at(key).real(usual);
    if (!json.has("rope_parameters")) return given;
    return ropeParameters(layers).at("rope_theta").real(given);
  }

  /** How rope is stretched, or null where it is not. */
  JsonValue ropeScaling(String layers) {
    if (json.has("rope_scaling")) return json.at("rope_scaling");
    return json.has("rope_parameters") ? ropeParameters(layers) : null;
  }

  private JsonValue ropeParameters(String layers) {
    JsonValue parameters = json.at("rope_parameters");
    return parameters.has(layers) ? parameters.at(layers) : parameters;
  }
}
