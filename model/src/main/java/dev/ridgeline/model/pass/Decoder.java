package dev.ridgeline.model.pass;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * A model that says which token comes next. Its weights are shared; each {@link Pass} has memory of
 * its own, and what a sequence has said so far is in the pages of its {@link SequenceMemory}.
 */
public interface Decoder extends Model {
  /**
   * Plans what so many sequences of so many tokens remember: keys and values, for most.
   *
   * @param type of the numbers that it keeps, where they may be of several: f32 or f16
   */
  default SequenceMemory memory(Device device, TensorType type, int sequences, int context) {
    return KvCache.planned(device, KvCache.Shape.of(shape()), type, sequences, context);
  }

  /**
   * Plans the memory for passes over batches.
   *
   * @param tokens of all sequences of a batch together
   * @param sequences of a batch at most
   * @param memory what the sequences' pages are numbers of
   */
  Pass plan(Device device, int tokens, int sequences, SequenceMemory memory);

  /** The memory that one batch at a time goes through. Not safe for several threads. */
  interface Pass extends AutoCloseable {
    /**
     * Runs a batch, and remembers it.
     *
     * @param ids one a row, in use as many as the texts have rows
     * @param texts what each row continues, and the pages that hold it; there must be pages for the
     *     rows themselves, too
     * @return what the last row of each text says of the token behind it: texts × vocabulary
     */
    Tensor run(Tensor ids, Sequences texts);

    /**
     * The same for every row: rows × vocabulary. Its memory is planned when it is first asked for.
     */
    Tensor runAll(Tensor ids, Sequences texts);

    /**
     * Who is asked before each large operation whether the pass should stop: before the JIT is
     * warm, a single layer can take seconds. A pass that stops throws a {@link
     * CancellationException}; what is remembered of its rows is worth nothing then, all else is as
     * it was.
     */
    void stopWhen(BooleanSupplier asked);

    @Override
    void close();
  }
}
