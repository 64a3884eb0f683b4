package dev.ridgeline.train.net;

import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.train.net.Parameter.Kind;
import java.util.ArrayList;
import java.util.List;

/** A Llama that learns. */
public final class LlamaNet implements Net {
  /** What a layer learns. */
  record Layer(
      Parameter attentionNorm,
      Parameter qkv,
      Parameter output,
      Parameter ffnNorm,
      Parameter gateUp,
      Parameter down) {}

  private final DecoderShape shape;
  private final Parameters parameters;
  private final Parameter tokens;
  private final Parameter norm;
  private final Parameter output;
  private final List<Layer> layers = new ArrayList<>();

  /** Weights on a device, all zero. */
  public LlamaNet(DecoderShape shape, Device device) {
    if (shape.family() != DecoderFamily.LLAMA || shape.qkvBias() || shape.ropeFactors()) {
      throw new ModelException(
          "%s%s cannot be trained: llama without biases and rope factors can"
              .formatted(shape.word(), shape.qkvBias() ? " with biases" : ""));
    }
    this.shape = shape;
    int width = shape.width();
    int queries = shape.heads() * shape.headWidth();
    int keys = shape.kvHeads() * shape.headWidth();
    var plan = new Parameters.Plan();
    plan.table("token_embd.weight", shape.vocabulary(), width, shape.tied());
    for (int i = 0; i < shape.layers(); i++) {
      String in = "blk." + i + ".";
      plan.vector(Kind.NORM, width, in + "attn_norm.weight");
      plan.matrix(
          Kind.MATRIX,
          width,
          in + "attn_q.weight",
          queries,
          in + "attn_k.weight",
          keys,
          in + "attn_v.weight",
          keys);
      plan.matrix(Kind.RESIDUAL, queries, in + "attn_output.weight", width);
      plan.vector(Kind.NORM, width, in + "ffn_norm.weight");
      plan.matrix(
          Kind.MATRIX,
          width,
          in + "ffn_gate.weight",
          shape.hidden(),
          in + "ffn_up.weight",
          shape.hidden());
      plan.matrix(Kind.RESIDUAL, shape.hidden(), in + "ffn_down.weight", width);
    }
    plan.vector(Kind.NORM, width, "output_norm.weight");
    if (!shape.tied()) plan.matrix(Kind.MATRIX, width, "output.weight", shape.vocabulary());
    this.parameters = plan.on(device);
    List<Parameter> all = parameters.all();
    this.tokens = all.getFirst();
    for (int i = 0; i < shape.layers(); i++) {
      List<Parameter> of = all.subList(1 + 6 * i, 7 + 6 * i);
      layers.add(new Layer(of.get(0), of.get(1), of.get(2), of.get(3), of.get(4), of.get(5)));
    }
    this.norm = all.get(1 + 6 * shape.layers());
    this.output = shape.tied() ? tokens : all.getLast();
  }

  @Override
  public DecoderShape shape() {
    return shape;
  }

  @Override
  public int context() {
    return shape.context();
  }

  @Override
  public int vocabulary() {
    return shape.vocabulary();
  }

  @Override
  public Parameters parameters() {
    return parameters;
  }

  Parameter tokens() {
    return tokens;
  }

  Layer layer(int index) {
    return layers.get(index);
  }

  Parameter norm() {
    return norm;
  }

  Parameter output() {
    return output;
  }

  @Override
  public Pass plan(Device device, int texts, int length, Kept kept) {
    return new LlamaPass(this, device, texts, length, kept);
  }

  @Override
  public void close() {
    parameters.close();
  }
}
