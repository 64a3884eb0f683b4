package dev.ridgeline.tensor.quant;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which type each tensor of a file gets: most the one that was asked for, those that a model is
 * sensitive to a better one, and some none at all. The rules are those of llama.cpp, so that a file
 * type means the same thing everywhere.
 */
public final class Mix {
  private static final Pattern LAYER = Pattern.compile("blk\\.(\\d{1,6})\\..*");

  /** Small, or looked up and never multiplied. */
  private static final List<String> LEFT_ALONE =
      List.of(
          "_norm.weight",
          "ffn_gate_inp.weight",
          "position_embd.weight",
          "token_types.weight",
          "attn_rel_b.weight",
          "ssm_conv1d.weight",
          "shortconv.conv.weight");

  private static final String VALUES = "attn_v.weight";
  private static final String DOWN = "ffn_down";

  /** What llama.cpp treats as another architecture of experts. */
  private static final int EIGHT_EXPERTS = 8;

  private final FileType type;
  private final boolean tied;
  private final int layers;
  private final int experts;
  private final int valueLayers;

  /** Of attention values and of down projections each: which in the order of layers. */
  private final Map<String, Integer> ranks = new HashMap<>();

  /**
   * A tensor that is to be stored.
   *
   * @param type what it is now
   * @param columns numbers in a row
   * @param matrix whether it has rows
   */
  public record Part(String name, TensorType type, long columns, boolean matrix) {
    static Part of(GgufTensor tensor) {
      boolean matrix = tensor.shape().stream().skip(1).anyMatch(length -> length > 1);
      return new Part(tensor.name(), tensor.type(), tensor.columns(), matrix);
    }
  }

  static Mix of(FileType type, Gguf file) {
    Metadata metadata = file.metadata();
    String architecture = metadata.string("general.architecture", "");
    return new Mix(
        type,
        metadata.integer(architecture + ".block_count", 0),
        metadata.integer(architecture + ".expert_count", 0),
        file.tensors().stream().map(Part::of).toList());
  }

  /** The types for all tensors of a file with so many layers, and experts in them. */
  public Mix(FileType type, int layers, int experts, List<Part> parts) {
    this.type = type;
    this.layers = layers;
    this.experts = experts;
    this.tied = parts.stream().noneMatch(part -> part.name().equals("output.weight"));
    this.valueLayers =
        (int)
            parts.stream()
                .filter(
                    t ->
                        t.name().contains(VALUES)
                            || t.name().contains("attn_qkv.weight")
                            || t.name().contains("attn_kv_b.weight"))
                .count();
    rank(parts, VALUES);
    rank(parts, DOWN);
  }

  private void rank(List<Part> parts, String kind) {
    List<Part> sorted =
        parts.stream()
            .filter(t -> t.name().contains(kind) && quantizable(t))
            .sorted(Comparator.comparingInt(Mix::layer))
            .toList();
    for (int i = 0; i < sorted.size(); i++) ranks.put(sorted.get(i).name(), i);
  }

  private static int layer(Part tensor) {
    Matcher matcher = LAYER.matcher(tensor.name());
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
  }

  TensorType of(GgufTensor tensor) {
    return of(Part.of(tensor));
  }

  /** What a tensor becomes; its own type where it is left alone. */
  public TensorType of(Part tensor) {
    if (!quantizable(tensor)) return tensor.type();
    TensorType wanted = type.type();
    return wanted.quantized() ? fitting(chosen(tensor, wanted), tensor.columns()) : wanted;
  }

  private static boolean quantizable(Part tensor) {
    return tensor.name().endsWith("weight")
        && tensor.type() != TensorType.I32
        && tensor.matrix()
        && LEFT_ALONE.stream().noneMatch(tensor.name()::endsWith);
  }

  private TensorType chosen(Part tensor, TensorType wanted) {
    String name = tensor.name();
    if (name.equals("output.weight") || (tied && name.equals("token_embd.weight"))) {
      boolean large = wanted == TensorType.Q8_0 || tensor.columns() % 256 != 0;
      return large ? TensorType.Q8_0 : TensorType.Q6_K;
    }
    if (name.equals("token_embd.weight")) return wanted;
    if (name.contains(VALUES)) return values(ranks.get(name), wanted);
    if (name.contains("attn_k.weight") && experts == EIGHT_EXPERTS) return TensorType.Q8_0;
    if (name.contains(DOWN)) return down(ranks.get(name), wanted);
    if (name.contains("attn_output.weight") && experts == EIGHT_EXPERTS) {
      return wanted == TensorType.Q4_K ? TensorType.Q5_K : wanted;
    }
    if (name.contains("attn_qkv.weight")) {
      if (type == FileType.Q4_K_M) return TensorType.Q5_K;
      if (type == FileType.Q5_K_M) return TensorType.Q6_K;
    }
    return wanted;
  }

  private TensorType values(int rank, TensorType wanted) {
    if (experts == EIGHT_EXPERTS) return TensorType.Q8_0;
    if (middle() && deservesMore(rank, valueLayers)) return TensorType.Q6_K;
    if (type == FileType.Q4_K_S && rank < 4) return TensorType.Q5_K;
    return wanted;
  }

  private TensorType down(int rank, TensorType wanted) {
    if (middle() && deservesMore(rank, layers)) return TensorType.Q6_K;
    if (type == FileType.Q4_K_S && rank < layers / 8) return TensorType.Q5_K;
    return wanted;
  }

  private boolean middle() {
    return type == FileType.Q4_K_M || type == FileType.Q5_K_M;
  }

  /** The first eighth of the layers, the last, and every third between. */
  private static boolean deservesMore(int layer, int layers) {
    return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
  }

  /** The nearest type whose blocks the rows fill. */
  private static TensorType fitting(TensorType type, long columns) {
    if (columns % type.blockSize() == 0) return type;
    TensorType smaller =
        switch (type) {
          case Q4_K -> TensorType.Q5_0;
          case Q5_K -> TensorType.Q5_1;
          case Q6_K -> TensorType.Q8_0;
          default -> TensorType.F16;
        };
    return columns % smaller.blockSize() == 0 ? smaller : TensorType.F16;
  }
}
