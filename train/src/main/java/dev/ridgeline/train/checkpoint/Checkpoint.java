package dev.ridgeline.train.checkpoint;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.ridgeline.train.TrainException;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A checkpoint on disk. It has been read from end to end and every checksum was right; what is
 * damaged is a {@link TrainException} that names the file and the part.
 */
public final class Checkpoint {
  private static final int BUFFER = 1 << 20;

  private final Path path;
  private final Header header;
  private final Layout layout;
  private final int[] sums;
  private final TrainState state;

  private Checkpoint(Path path, Header header, Layout layout, int[] sums, double[] losses) {
    this.path = path;
    this.header = header;
    this.layout = layout;
    this.sums = sums;
    this.state =
        new TrainState(header.step(), header.position(), header.random(), header.digest(), losses);
  }

  /** Reads all of a file and checks it; tensors are read again when they are asked for. */
  public static Checkpoint open(Path path) {
    // Opening a pipe would wait for its writer, perhaps for ever.
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new TrainException(path, "not a file");
    }
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      return open(path, file);
    } catch (EOFException e) {
      throw new TrainException(path, "is damaged: it is cut off", e);
    } catch (IOException e) {
      throw TrainException.of(path, e);
    }
  }

  private static Checkpoint open(Path path, FileChannel file) throws IOException {
    byte[] start = bytes(file, 0, Layout.FIXED);
    ByteBuffer fixed = little(start);
    if (fixed.getLong() != Layout.MAGIC) throw new TrainException(path, "is no checkpoint");
    int version = fixed.getInt();
    if (version != Layout.VERSION) {
      throw new TrainException(
          path, "is of version %d; this one reads %d".formatted(version, Layout.VERSION));
    }
    int length = fixed.getInt();
    if (length < 2 || length > Layout.MOST_HEADER) throw damaged(path, "its header's length");
    byte[] json = bytes(file, Layout.FIXED, length + Integer.BYTES);
    CRC32C sum = new CRC32C();
    sum.update(start);
    sum.update(json, 0, length);
    if ((int) sum.getValue() != little(json).getInt(length)) throw damaged(path, "its header");
    Header header = Header.read(path, Arrays.copyOf(json, length));
    Layout layout = Layout.of(length, header.sections());
    if (layout == null || layout.size() != file.size()) {
      throw damaged(path, "its length of %,d bytes".formatted(file.size()));
    }
    checkGaps(path, file, layout, Layout.FIXED + length + Integer.BYTES);
    int[] sums = sums(path, file, layout);
    return checked(path, file, header, layout, sums);
  }

  /** Nothing but zeros lies between the parts: there is no byte that damage could hide in. */
  private static void checkGaps(Path path, FileChannel file, Layout layout, long header)
      throws IOException {
    long from = header;
    for (int i = 0; i <= layout.starts().length; i++) {
      boolean last = i == layout.starts().length;
      long to = last ? layout.trailer() : layout.starts()[i];
      for (byte each : bytes(file, from, (int) (to - from))) {
        if (each != 0) throw damaged(path, "between its parts");
      }
      if (!last) from = to + layout.bytes()[i];
    }
  }

  private static int[] sums(Path path, FileChannel file, Layout layout) throws IOException {
    byte[] trailer = bytes(file, layout.trailer(), (int) (layout.size() - layout.trailer()));
    ByteBuffer in = little(trailer);
    int[] sums = new int[layout.bytes().length];
    for (int i = 0; i < sums.length; i++) sums[i] = in.getInt();
    CRC32C sum = new CRC32C();
    sum.update(trailer, 0, in.position());
    if (in.getInt() != (int) sum.getValue() || in.getLong() != Layout.END) {
      throw damaged(path, "its end");
    }
    return sums;
  }

  private static Checkpoint checked(
      Path path, FileChannel file, Header header, Layout layout, int[] sums) throws IOException {
    double[] losses = new double[(int) header.losses()];
    MemorySegment target = MemorySegment.ofArray(losses);
    TensorSink keep =
        (from, to, numbers) ->
            MemorySegment.copy(
                numbers, JAVA_DOUBLE, 0, target, JAVA_DOUBLE, from * Double.BYTES, to - from);
    Checkpoint checkpoint = new Checkpoint(path, header, layout, sums, losses);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(BUFFER, 64);
      checkpoint.section(file, 0, Double.BYTES, buffer, keep);
      // What a tensor's rows are does not matter for its checksum.
      for (int i = 1; i < sums.length; i++) {
        checkpoint.section(file, i, Float.BYTES, buffer, (_, _, _) -> {});
      }
    }
    return checkpoint;
  }

  public Path path() {
    return path;
  }

  public TrainState state() {
    return state;
  }

  /** Names of its tensors, in the order in which they were written. */
  public List<String> tensors() {
    return header.tensors().stream().map(Header.Tensor::name).toList();
  }

  /** Hands over the rows of a tensor, which must have this shape. */
  public void read(String name, long rows, long columns, TensorSink sink) {
    int index = tensors().indexOf(name);
    if (index < 0) throw new TrainException(path, "has no tensor " + name);
    Header.Tensor tensor = header.tensors().get(index);
    if (tensor.rows() != rows || tensor.columns() != columns) {
      throw new TrainException(
          path,
          "has %s as %d×%d, not %d×%d"
              .formatted(name, tensor.rows(), tensor.columns(), rows, columns));
    }
    long row = columns * Float.BYTES;
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.max(BUFFER, row), 64);
      section(file, index + 1, row, buffer, sink);
    } catch (EOFException e) {
      throw new TrainException(path, "is damaged: it is cut off", e);
    } catch (IOException e) {
      throw TrainException.of(path, e);
    }
  }

  private void section(FileChannel file, int index, long row, MemorySegment buffer, TensorSink sink)
      throws IOException {
    ByteBuffer bytes = buffer.asByteBuffer();
    CRC32C sum = new CRC32C();
    long rows = layout.bytes()[index] / row;
    long most = buffer.byteSize() / row;
    for (long from = 0; from < rows; from += most) {
      long to = Math.min(rows, from + most);
      bytes.limit((int) ((to - from) * row)).position(0);
      fill(file, layout.starts()[index] + from * row, bytes);
      sum.update(bytes.position(0));
      sink.write(from, to, buffer.asSlice(0, (to - from) * row));
    }
    if ((int) sum.getValue() == sums[index]) return;
    throw damaged(path, index == 0 ? "its losses" : header.tensors().get(index - 1).name());
  }

  private static TrainException damaged(Path path, String what) {
    return new TrainException(path, "is damaged: " + what);
  }

  private static byte[] bytes(FileChannel file, long at, int count) throws IOException {
    // Nothing is allocated for what a damaged length says.
    if (at + count > file.size()) throw new EOFException();
    ByteBuffer bytes = ByteBuffer.allocate(count);
    fill(file, at, bytes);
    return bytes.array();
  }

  private static void fill(FileChannel file, long at, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int read = file.read(bytes, at);
      if (read < 0) throw new EOFException();
      at += read;
    }
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
