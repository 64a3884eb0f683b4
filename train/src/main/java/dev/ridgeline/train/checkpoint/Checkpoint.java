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
 * A checkpoint on disk. All of it has been read and every checksum was right; damage is a {@link
 * TrainException} that names the file and the part.
 */
public final class Checkpoint {
  private static final int BUFFER = 1 << 20;

  private final Path path;
  private Header header;
  private Layout layout;
  private int[] sums;
  private TrainState state;

  private Checkpoint(Path path) {
    this.path = path;
  }

  /** Reads and checks all of a file; {@link #read} reads a tensor again. */
  public static Checkpoint open(Path path) {
    // Opening a pipe would wait for its writer, perhaps for ever.
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new TrainException(path, "not a file");
    }
    Checkpoint checkpoint = new Checkpoint(path);
    checkpoint.reading(checkpoint::checkAll);
    return checkpoint;
  }

  /** Something that reads the file. */
  @FunctionalInterface
  private interface Reading {
    void from(FileChannel file) throws IOException;
  }

  private void reading(Reading reading) {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      reading.from(file);
    } catch (EOFException e) {
      throw new TrainException(path, "is damaged: it is cut off", e);
    } catch (IOException e) {
      throw TrainException.of(path, e);
    }
  }

  private void checkAll(FileChannel file) throws IOException {
    byte[] start = bytes(file, 0, Layout.FIXED);
    ByteBuffer fixed = little(start);
    if (fixed.getLong() != Layout.MAGIC) throw new TrainException(path, "not a checkpoint");
    int version = fixed.getInt();
    if (version != Layout.VERSION) {
      throw new TrainException(
          path, "has version %d; only version %d can be read".formatted(version, Layout.VERSION));
    }
    int length = fixed.getInt();
    if (length < 2 || length > Layout.MOST_HEADER) throw damaged("its header's length");
    byte[] json = bytes(file, Layout.FIXED, length + Integer.BYTES);
    CRC32C sum = new CRC32C();
    sum.update(start);
    sum.update(json, 0, length);
    if ((int) sum.getValue() != little(json).getInt(length)) throw damaged("its header");
    header = Header.read(path, Arrays.copyOf(json, length));
    layout = Layout.of(length, header.sections());
    if (layout == null || layout.size() != file.size()) {
      throw damaged("its length of %,d bytes".formatted(file.size()));
    }
    checkGaps(file, Layout.FIXED + length + Integer.BYTES);
    readSums(file);
    checkSections(file);
  }

  /** Only zeros lie between the parts, so that no damage stays unseen. */
  private void checkGaps(FileChannel file, long from) throws IOException {
    for (int i = 0; i <= layout.starts().length; i++) {
      boolean last = i == layout.starts().length;
      long to = last ? layout.trailer() : layout.starts()[i];
      for (byte each : bytes(file, from, (int) (to - from))) {
        if (each != 0) throw damaged("between its parts");
      }
      if (!last) from = to + layout.bytes()[i];
    }
  }

  private void readSums(FileChannel file) throws IOException {
    byte[] trailer = bytes(file, layout.trailer(), (int) (layout.size() - layout.trailer()));
    ByteBuffer in = little(trailer);
    sums = new int[layout.bytes().length];
    for (int i = 0; i < sums.length; i++) sums[i] = in.getInt();
    CRC32C sum = new CRC32C();
    sum.update(trailer, 0, in.position());
    if (in.getInt() != (int) sum.getValue() || in.getLong() != Layout.END) throw damaged("its end");
  }

  private void checkSections(FileChannel file) throws IOException {
    double[] losses = new double[(int) header.losses()];
    section(
        file,
        0,
        Double.BYTES,
        (from, to, block) ->
            MemorySegment.copy(block, JAVA_DOUBLE, 0, losses, (int) from, (int) (to - from)));
    // The checksum does not depend on how the numbers are cut into rows.
    for (int i = 1; i < sums.length; i++) section(file, i, Float.BYTES, (_, _, _) -> {});
    state = new TrainState(header.step(), header.position(), header.digest(), losses);
  }

  public Path path() {
    return path;
  }

  public TrainState state() {
    return state;
  }

  /** Names of its tensors, in the order they were written. */
  public List<String> tensors() {
    return header.tensors().stream().map(Header.Tensor::name).toList();
  }

  /** Reads the rows of a tensor, which must have this shape. */
  public void read(String name, long rows, long columns, Rows sink) {
    int index = tensors().indexOf(name);
    if (index < 0) throw new TrainException(path, "has no tensor " + name);
    Header.Tensor tensor = header.tensors().get(index);
    if (tensor.rows() != rows || tensor.columns() != columns) {
      throw new TrainException(
          path,
          "has %s as %d×%d, not %d×%d"
              .formatted(name, tensor.rows(), tensor.columns(), rows, columns));
    }
    reading(file -> section(file, index + 1, columns * Float.BYTES, sink));
  }

  private void section(FileChannel file, int index, long row, Rows sink) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.max(BUFFER, row), 64);
      CRC32C sum = new CRC32C();
      long rows = layout.bytes()[index] / row;
      long most = buffer.byteSize() / row;
      for (long from = 0; from < rows; from += most) {
        long to = Math.min(rows, from + most);
        MemorySegment block = buffer.asSlice(0, (to - from) * row);
        ByteBuffer bytes = block.asByteBuffer();
        fill(file, layout.starts()[index] + from * row, bytes);
        sum.update(bytes.rewind());
        sink.copy(from, to, block);
      }
      if ((int) sum.getValue() == sums[index]) return;
    }
    throw damaged(index == 0 ? "its losses" : header.tensors().get(index - 1).name());
  }

  private TrainException damaged(String what) {
    return new TrainException(path, "is damaged: " + what);
  }

  private static byte[] bytes(FileChannel file, long at, int count) throws IOException {
    // A damaged length must not decide how much is allocated.
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
