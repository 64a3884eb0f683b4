package dev.ridgeline.train.net;

import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.tensor.Device;
import java.util.ArrayList;
import java.util.List;

/** A model that is trained: its weights, and how losses and gradients are computed. */
public abstract sealed class Net implements AutoCloseable permits Gpt2Net, LlamaNet {
  /** The weight and the bias of a matrix or a norm; the bias is null if it has none. */
  record Weights(Parameter weight, Parameter bias) {
    static Weights of(Parameters all, String name) {
      return new Weights(all.find(name + ".weight"), all.find(name + ".bias"));
    }
  }

  /** The weights of a layer. */
  record Layer(
      Weights attentionNorm,
      Weights qkv,
      Weights output,
      Weights ffnNorm,
      Weights up,
      Weights down) {}

  private final Shape shape;
  private final int context;
  private final Parameters parameters;

  /** The table of tokens, and the matrix of the last product: the same if they are tied. */
  final Parameter tokens;

  final Parameter output;

  final List<Layer> layers = new ArrayList<>();

  /** The last norm. */
  final Weights norm;

  /**
   * @param qkv the name in a file of what the queries are part of
   * @param up that of the first matrix of the feed-forward network
   */
  Net(Shape shape, int context, Parameters parameters, String qkv, String up) {
    this.shape = shape;
    this.context = context;
    this.parameters = parameters;
    this.tokens = parameters.all().getFirst();
    this.output = tokens.forward() != null ? tokens : parameters.all().getLast();
    for (int i = 0; i < shape.layers(); i++) {
      String in = "blk." + i + ".";
      layers.add(
          new Layer(
              Weights.of(parameters, in + "attn_norm"),
              Weights.of(parameters, in + qkv),
              Weights.of(parameters, in + "attn_output"),
              Weights.of(parameters, in + "ffn_norm"),
              Weights.of(parameters, in + up),
              Weights.of(parameters, in + "ffn_down")));
    }
    this.norm = Weights.of(parameters, "output_norm");
  }

  /** Its sizes, as a file has them. */
  public final Shape shape() {
    return shape;
  }

  /** Tokens that a text may have. */
  public final int context() {
    return context;
  }

  public final int vocabulary() {
    return shape.vocabulary();
  }

  public final Parameters parameters() {
    return parameters;
  }

  /**
   * Plans passes over some texts of the same length, on a device that reaches the weights.
   *
   * @param kept of each layer's forward pass for its backward pass
   */
  public abstract Pass plan(Device device, int texts, int length, Kept kept);

  @Override
  public final void close() {
    parameters.close();
  }

  /** The passes of one thread. */
  public interface Pass extends AutoCloseable {
    /**
     * The sum of the losses of all tokens, and its gradients times a factor.
     *
     * @param inputs ids, text after text
     * @param targets the token after each, −1 where the loss does not count
     * @param offset of the first id of each
     * @param to is overwritten
     */
    double learn(int[] inputs, int[] targets, int offset, float factor, Gradients to);

    /** The sum of the losses alone. */
    double losses(int[] inputs, int[] targets, int offset);

    /**
     * The first operation, forward or backward, whose result is NaN or infinite; empty if there is
     * none. Slow: for error messages.
     */
    String origin(int[] inputs, int[] targets, int offset, Gradients to);

    @Override
    void close();
  }
}
