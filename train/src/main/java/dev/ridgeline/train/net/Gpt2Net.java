package dev.ridgeline.train.net;

import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.train.net.Parameter.Kind;
import java.util.ArrayList;
import java.util.List;

/** A GPT-2 that learns. */
public final class Gpt2Net implements Net {
  /** A norm's weight and bias, or a matrix and its bias. */
  record Pair(Parameter weight, Parameter bias) {}

  /** What a layer learns. */
  record Layer(Pair attentionNorm, Pair qkv, Pair output, Pair ffnNorm, Pair up, Pair down) {}

  /** Tensors of a layer. */
  private static final int EACH = 12;

  private final Gpt2Shape shape;
  private final Parameters parameters;
  private final Parameter tokens;
  private final Parameter positions;
  private final Pair norm;
  private final Parameter output;
  private final List<Layer> layers = new ArrayList<>();

  /** Weights on a device, all zero. */
  public Gpt2Net(Gpt2Shape shape, Device device) {
    this.shape = shape;
    int width = shape.width();
    var plan = new Parameters.Plan();
    plan.table("token_embd.weight", shape.vocabulary(), width, shape.tied());
    plan.table("position_embd.weight", shape.context(), width, false);
    for (int i = 0; i < shape.layers(); i++) {
      String in = "blk." + i + ".";
      norm(plan, in + "attn_norm");
      linear(plan, Kind.MATRIX, in + "attn_qkv", 3 * width, width);
      linear(plan, Kind.RESIDUAL, in + "attn_output", width, width);
      norm(plan, in + "ffn_norm");
      linear(plan, Kind.MATRIX, in + "ffn_up", shape.hidden(), width);
      linear(plan, Kind.RESIDUAL, in + "ffn_down", width, shape.hidden());
    }
    norm(plan, "output_norm");
    if (!shape.tied()) plan.matrix(Kind.MATRIX, width, "output.weight", shape.vocabulary());
    this.parameters = plan.on(device);
    List<Parameter> all = parameters.all();
    this.tokens = all.get(0);
    this.positions = all.get(1);
    for (int i = 0; i < shape.layers(); i++) {
      List<Parameter> of = all.subList(2 + EACH * i, 2 + EACH * (i + 1));
      layers.add(
          new Layer(pair(of, 0), pair(of, 2), pair(of, 4), pair(of, 6), pair(of, 8), pair(of, 10)));
    }
    this.norm = pair(all, 2 + EACH * shape.layers());
    this.output = shape.tied() ? tokens : all.getLast();
  }

  private void norm(Parameters.Plan plan, String name) {
    plan.vector(Kind.NORM, shape.width(), name + ".weight");
    plan.vector(Kind.BIAS, shape.width(), name + ".bias");
  }

  private static void linear(
      Parameters.Plan plan, Kind kind, String name, int outputs, int inputs) {
    plan.matrix(kind, inputs, name + ".weight", outputs);
    plan.vector(Kind.BIAS, outputs, name + ".bias");
  }

  private static Pair pair(List<Parameter> of, int index) {
    return new Pair(of.get(index), of.get(index + 1));
  }

  @Override
  public Gpt2Shape shape() {
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

  Parameter positions() {
    return positions;
  }

  Layer layer(int index) {
    return layers.get(index);
  }

  Pair norm() {
    return norm;
  }

  Parameter output() {
    return output;
  }

  @Override
  public Pass plan(Device device, int texts, int length, Kept kept) {
    return new Gpt2Pass(this, device, texts, length, kept);
  }

  @Override
  public void close() {
    parameters.close();
  }
}
