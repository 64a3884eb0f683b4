package dev.ridgeline.model.generate;

import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.SequenceMemory;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.Ablation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;

/** The memory that sequences need besides the model's weights: planned together. */
final class Room implements AutoCloseable {
  private static final String OWNER = "workspace";

  /** Tokens of a sequence at most. */
  final int context;

  /** Tokens of a pass at most. */
  final int rows;

  final SequenceMemory memory;
  final Sequences texts;
  final Tensor ids;
  final Decoder.Pass pass;

  Room(Path model, GeneratorOptions options, Decoder decoder, Device device) {
    this.context = context(model, options.context(), decoder.shape().context());
    int sequences = options.sequences();
    long most = Math.min(options.batch(), (long) sequences * context);
    this.rows = Ablation.BATCHING.on() ? (int) Math.max(sequences, most) : 1;
    this.memory = decoder.memory(device, options.cache(), sequences, context);
    this.texts = new Sequences(device, OWNER, sequences, rows);
    this.ids = device.allocate(OWNER, TensorType.I32, rows, 1);
    this.pass = decoder.plan(device, rows, sequences, memory);
  }

  private static int context(Path model, int asked, int most) {
    if (asked == 0) return Math.min(most, GeneratorOptions.USUAL_CONTEXT);
    if (asked <= most) return asked;
    throw new ModelException("a context of %d: %s was made for %d".formatted(asked, model, most));
  }

  @Override
  public void close() {
    pass.close();
    texts.close();
    ids.close();
    memory.close();
  }
}
