package dev.ridgeline.model.imports;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which tensor of an ONNX graph is which weight of a BERT encoder.
 *
 * <p>Exporters keep the names of embeddings, norms and biases, but fold the transposition of
 * matrices into constants with names of their own ({@code onnx::MatMul_123}). So a matrix is known
 * by its own name, by the bias that is added to its product, or by the place of the operation in
 * the model ({@code /encoder/layer.0/attention/self/query/MatMul}).
 */
final class OnnxEncoder {
  private static final String WORDS = "embeddings.word_embeddings.weight";
  private static final Pattern MATRIX =
      Pattern.compile(
          "(encoder\\.layer\\.\\d{1,4}\\.(?:attention\\.self\\.(?:query|key|value)"
              + "|attention\\.output\\.dense|intermediate\\.dense|output\\.dense))\\b");
  private static final Set<String> QUANTIZED =
      Set.of(
          "MatMulInteger",
          "DynamicQuantizeLinear",
          "DequantizeLinear",
          "QLinearMatMul",
          "MatMulNBits");
  private static final Set<String> FUSED =
      Set.of("Attention", "MultiHeadAttention", "EmbedLayerNormalization", "QAttention");

  private final OnnxFile file;
  private final Map<String, OnnxNode> makers = new HashMap<>();
  private final SourceWeights weights;

  /** The weights of a graph by the names they had before the export. */
  OnnxEncoder(OnnxFile file) {
    this.file = file;
    refuseOthers();
    this.weights = SourceWeights.of(file.path(), file.tensors(), WORDS);
    findMatrices();
  }

  SourceWeights weights() {
    return weights;
  }

  private void refuseOthers() {
    boolean gelu = false;
    for (OnnxNode node : file.nodes()) {
      String operation = node.operation();
      if (QUANTIZED.contains(operation)) {
        throw refused("holds quantized weights (" + operation + "): import the f32 model");
      }
      if (FUSED.contains(operation)) {
        throw refused("was fused by an optimizer (" + operation + "): import it as exported");
      }
      gelu |= operation.equals("Erf") || operation.equals("Gelu");
      for (String output : node.outputs()) makers.putIfAbsent(output, node);
    }
    if (file.tensors().keySet().stream().noneMatch(name -> name.endsWith(WORDS))) {
      throw refused("is not of the BERT family: it has no tensor " + WORDS);
    }
    if (!gelu) throw refused("is not of the BERT family: its activation is not GELU (erf)");
  }

  private void findMatrices() {
    Map<String, String> biases = addedTo();
    Set<String> found = new HashSet<>();
    for (OnnxNode node : file.nodes()) {
      boolean gemm = node.operation().equals("Gemm");
      if (!gemm && !node.operation().equals("MatMul")) continue;
      String matrix = node.input(1);
      boolean transposed = !gemm || node.numbers().getOrDefault("transB", 0.0) == 0;
      OnnxNode maker = makers.get(matrix);
      if (maker != null && maker.operation().equals("Transpose")) {
        matrix = maker.input(0);
        transposed = !transposed;
      }
      StoredTensor tensor = file.tensors().get(matrix);
      if (tensor == null || tensor.shape().size() != 2) continue;
      String bias = gemm ? node.input(2) : biases.getOrDefault(node.output(), "");
      String role = role(List.of(matrix, bias, node.name().replace('/', '.')));
      if (role == null) continue;
      if (!found.add(role)) throw refused("has two matrices for " + role);
      weights.put(role + ".weight", new Weight(file.path(), tensor, transposed, 0, 0));
    }
  }

  /** By the name of a product, the tensor that is added to it. */
  private Map<String, String> addedTo() {
    Map<String, String> added = new HashMap<>();
    for (OnnxNode node : file.nodes()) {
      if (!node.operation().equals("Add") || node.inputs().size() != 2) continue;
      for (int side = 0; side < 2; side++) {
        String bias = node.input(side);
        if (file.tensors().containsKey(bias)) added.put(node.input(1 - side), bias);
      }
    }
    return added;
  }

  private static String role(List<String> signs) {
    for (String sign : signs) {
      Matcher matcher = MATRIX.matcher(sign);
      if (matcher.find()) return matcher.group(1);
    }
    return null;
  }

  /** The heads that the graph splits a row of this width into, or 0 where it does not say. */
  int heads(long width) {
    long heads = 0;
    for (OnnxNode node : file.nodes()) {
      if (!node.operation().equals("Reshape")) continue;
      long split = split(node.input(1), width);
      if (split == 0) continue;
      if (heads != 0 && heads != split) throw refused("splits rows into different heads");
      heads = split;
    }
    return (int) heads;
  }

  /** The third of four lengths, where the last two make up the width. */
  private long split(String shape, long width) {
    long heads = 0;
    long each = 0;
    StoredTensor constant = file.tensors().get(shape);
    OnnxNode maker = makers.get(shape);
    if (constant != null && constant.holdsWholes() && constant.count() == 4) {
      heads = constant.whole(2);
      each = constant.whole(3);
    } else if (maker != null && maker.operation().equals("Concat") && maker.inputs().size() == 4) {
      heads = whole(maker.input(2));
      each = whole(maker.input(3));
    }
    boolean sane = heads > 0 && heads <= width && width % heads == 0;
    return sane && (each == -1 || each == width / heads) ? heads : 0;
  }

  private long whole(String name) {
    StoredTensor tensor = file.tensors().get(name);
    return tensor != null && tensor.holdsWholes() && tensor.count() == 1 ? tensor.whole(0) : 0;
  }

  /** What norms add before the root, or 0 where the graph does not say. */
  float epsilon() {
    for (OnnxNode node : file.nodes()) {
      if (node.operation().equals("LayerNormalization")) {
        return node.numbers().getOrDefault("epsilon", 1e-5).floatValue();
      }
      if (!node.operation().equals("Sqrt")) continue;
      OnnxNode sum = makers.get(node.input(0));
      if (sum == null || !sum.operation().equals("Add")) continue;
      for (String input : sum.inputs()) {
        StoredTensor constant = file.tensors().get(input);
        if (constant != null && constant.count() == 1 && constant.type().real()) {
          return constant.real(0);
        }
      }
    }
    return 0;
  }

  private ImportException refused(String reason) {
    return new ImportException(file.path(), reason);
  }
}
