package dev.ridgeline.train.net;

import dev.ridgeline.tensor.Tensor;
import java.util.List;

/**
 * A gradient for each weight.
 *
 * @param all of them, one after the other like the weights
 * @param views of each parameter, in their order
 */
public record Gradients(Tensor all, List<Tensor> views) implements AutoCloseable {
  public Gradients {
    views = List.copyOf(views);
  }

  Tensor of(Parameter parameter) {
    return views.get(parameter.index());
  }

  @Override
  public void close() {
    all.close();
  }
}
