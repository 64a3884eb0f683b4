package dev.ridgeline.model.imports;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.ridgeline.model.draft.Numbers;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.model.shape.Slot.Change;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A weight of a model of others, as rows of outputs whatever way round the file has it.
 *
 * @param transposed whether the file has a row for each input
 * @param shift what is added to each number: Gemma's norms are stored less 1
 * @param heads whose rows have the halves of pairs apart and shall have them side by side; or 0
 */
record Weight(Path path, StoredTensor tensor, boolean transposed, float shift, int heads)
    implements Numbers {
  private static final long LONGEST = 1 << 24;

  Weight(Path path, StoredTensor tensor) {
    this(path, tensor, false, 0, 0);
  }

  /** The same as GGUF has it. */
  Weight changed(Change change) {
    return switch (change) {
      case Change.None _ -> this;
      case Change.Transposed _ -> new Weight(path, tensor, !transposed, shift, heads);
      case Change.PlusOne _ -> new Weight(path, tensor, transposed, shift + 1, heads);
      case Change.Interleaved(int ofHeads) -> new Weight(path, tensor, transposed, shift, ofHeads);
    };
  }

  /** Outputs; 1 for a vector. */
  long rows() {
    return tensor.shape().size() == 1 ? 1 : tensor.shape().get(transposed ? 1 : 0);
  }

  /** Inputs; the length of a vector. */
  long columns() {
    return tensor.shape().get(tensor.shape().size() == 1 || transposed ? 0 : 1);
  }

  /** Rows of a matrix that a model can have. */
  int height() {
    if (tensor.shape().size() != 2) throw wrong("is no matrix");
    return sane(rows());
  }

  /** Columns of a matrix that a model can have. */
  int width() {
    if (tensor.shape().size() != 2) throw wrong("is no matrix");
    return sane(columns());
  }

  private int sane(long length) {
    if (length < 1 || length > LONGEST) throw wrong("has a length of %,d".formatted(length));
    return (int) length;
  }

  /** Refuses what is not numbers of this shape. */
  Weight checked(Slot slot) {
    if (!tensor.type().real()) {
      throw wrong("holds %s, which is not supported".formatted(tensor.type()));
    }
    int dimensions = tensor.shape().size();
    boolean fits =
        dimensions == (slot.vector() ? 1 : 2)
            && rows() == slot.rows()
            && columns() == slot.columns();
    if (!fits) {
      String wanted = slot.vector() ? "" : slot.rows() + " × ";
      throw wrong(
          "has shape %s%s instead of %s%d"
              .formatted(
                  tensor.shape(), transposed ? " (transposed)" : "", wanted, slot.columns()));
    }
    return this;
  }

  @Override
  public void read(long from, long to, MemorySegment out) {
    long columns = columns();
    long rows = rows();
    for (long column = 0; transposed && column < columns; column++) {
      for (long row = from; row < to; row++) {
        put(out, (row - from) * columns + column, column * rows + row);
      }
    }
    boolean vector = rows == 1;
    for (long row = from; !transposed && row < to; row++) {
      long stored = vector ? 0 : place(row, rows);
      for (long column = 0; column < columns; column++) {
        long at = vector ? place(column, columns) : stored * columns + column;
        put(out, (row - from) * columns + column, at);
      }
    }
  }

  /** Where an output is stored: the halves of a head's pairs may be apart. */
  private long place(long output, long outputs) {
    if (heads == 0) return output;
    long width = outputs / heads;
    long inside = output % width;
    return output - inside + inside % 2 * (width / 2) + inside / 2;
  }

  private void put(MemorySegment out, long index, long stored) {
    float number = tensor.real(stored) + shift;
    if (!Float.isFinite(number)) {
      throw wrong("holds %s at %d".formatted(number, stored));
    }
    out.setAtIndex(JAVA_FLOAT_UNALIGNED, index, number);
  }

  private ImportException wrong(String reason) {
    return new ImportException(path, "tensor " + tensor.name() + " " + reason);
  }
}
