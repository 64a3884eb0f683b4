package dev.ridgeline.train.checkpoint;

import dev.ridgeline.model.draft.Numbers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;

/** Writes one checkpoint, a few rows at a time, through a buffer that the caller keeps. */
final class CheckpointWriter {
  private final Target out;
  private final MemorySegment buffer;
  private final ByteBuffer bytes;
  private final CRC32C sum = new CRC32C();
  private long written;

  CheckpointWriter(Target out, MemorySegment buffer) {
    this.out = out;
    this.buffer = buffer;
    this.bytes = buffer.asByteBuffer();
  }

  void write(TrainState state, List<TensorSource> tensors) throws IOException {
    Header header = Header.of(state, tensors);
    byte[] json = header.json();
    Layout layout = Layout.of(json.length, header.sections());
    if (json.length > Layout.MOST_HEADER || layout == null) {
      throw new IllegalArgumentException("more tensors than a checkpoint holds");
    }
    begin(json);
    int[] sums = new int[tensors.size() + 1];
    MemorySegment losses = MemorySegment.ofArray(state.losses());
    sums[0] =
        section(
            layout.starts()[0],
            state.losses().length,
            Double.BYTES,
            (from, to, to64) ->
                MemorySegment.copy(losses, from * 8, to64, 0, (to - from) * Double.BYTES));
    for (int i = 0; i < tensors.size(); i++) {
      TensorSource tensor = tensors.get(i);
      long row = tensor.columns() * Float.BYTES;
      sums[i + 1] = section(layout.starts()[i + 1], tensor.rows(), row, tensor.numbers());
    }
    end(layout, sums);
  }

  private void begin(byte[] json) throws IOException {
    ByteBuffer start = little(Layout.FIXED + json.length + Integer.BYTES);
    start.putLong(Layout.MAGIC).putInt(Layout.VERSION).putInt(json.length).put(json);
    sum.reset();
    sum.update(start.array(), 0, start.position());
    write(start.putInt((int) sum.getValue()).flip());
  }

  /** Rows of so many bytes; answers their checksum. */
  private int section(long start, long rows, long rowBytes, Numbers numbers) throws IOException {
    fillUpTo(start);
    sum.reset();
    long most = Math.max(1, buffer.byteSize() / rowBytes);
    for (long from = 0; from < rows; from += most) {
      long to = Math.min(rows, from + most);
      long length = (to - from) * rowBytes;
      numbers.read(from, to, buffer.asSlice(0, length));
      bytes.limit((int) length).position(0);
      sum.update(bytes);
      write(bytes.position(0));
    }
    return (int) sum.getValue();
  }

  private void end(Layout layout, int[] sums) throws IOException {
    fillUpTo(layout.trailer());
    ByteBuffer end = little(Layout.trailerBytes(sums.length));
    for (int each : sums) end.putInt(each);
    sum.reset();
    sum.update(end.array(), 0, end.position());
    write(end.putInt((int) sum.getValue()).putLong(Layout.END).flip());
  }

  private void fillUpTo(long position) throws IOException {
    write(ByteBuffer.allocate((int) (position - written)));
  }

  private void write(ByteBuffer from) throws IOException {
    written += from.remaining();
    while (from.hasRemaining()) out.write(from);
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
