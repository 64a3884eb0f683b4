package dev.ridgeline.train.checkpoint;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes checkpoints, each whole or not at all: under another name first, which is flushed to disk
 * and then renamed. A process or machine that stops at any moment leaves earlier files unchanged.
 *
 * <p>Rows go through one buffer, which is kept for the next checkpoint. Not safe for use by several
 * threads.
 */
final class CheckpointWriter implements AutoCloseable {
  static final String UNFINISHED = ".unfinished";
  private static final int BUFFER = 1 << 20;

  private final Target.Opener opener;
  private final Arena arena = Arena.ofShared();
  private final CRC32C sum = new CRC32C();
  private MemorySegment buffer;
  private Target out;
  private long written;

  CheckpointWriter(Target.Opener opener) {
    this.opener = opener;
  }

  /** Writes a file. If that fails, no trace of it is left. */
  void write(Path file, TrainState state, List<TensorSource> tensors) throws IOException {
    Path folder = file.getParent();
    Files.createDirectories(folder);
    Path unfinished = folder.resolve(file.getFileName() + UNFINISHED);
    try {
      try (Target target = opener.open(unfinished)) {
        out = target;
        written = 0;
        write(state, tensors);
        target.force();
      }
      move(unfinished, file);
    } finally {
      Files.deleteIfExists(unfinished); // it is gone unless something failed
    }
    sync(folder);
  }

  /** Makes sure that the new name is on disk, too. */
  private static void sync(Path folder) throws IOException {
    // Where folders cannot be opened, the system does not ask for it.
    if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) return;
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void write(TrainState state, List<TensorSource> tensors) throws IOException {
    Header header = Header.of(state, tensors);
    byte[] json = header.json();
    Layout layout = Layout.of(json.length, header.sections());
    if (json.length > Layout.MOST_HEADER || layout == null) {
      throw new IllegalArgumentException("more tensors than a checkpoint holds");
    }
    ByteBuffer start = little(Layout.FIXED + json.length + Integer.BYTES);
    writeSigned(start.putLong(Layout.MAGIC).putInt(Layout.VERSION).putInt(json.length).put(json));
    int[] sums = new int[tensors.size() + 1];
    MemorySegment losses = MemorySegment.ofArray(state.losses());
    sums[0] =
        section(
            layout.starts()[0],
            state.losses().length,
            Double.BYTES,
            (from, to, block) ->
                MemorySegment.copy(losses, from * Double.BYTES, block, 0, block.byteSize()));
    for (int i = 0; i < tensors.size(); i++) {
      TensorSource tensor = tensors.get(i);
      long row = tensor.columns() * Float.BYTES;
      sums[i + 1] = section(layout.starts()[i + 1], tensor.rows(), row, tensor.numbers());
    }
    fillUpTo(layout.trailer());
    ByteBuffer checksums = little(Integer.BYTES * (sums.length + 1));
    for (int each : sums) checksums.putInt(each);
    writeSigned(checksums);
    out.write(little(Long.BYTES).putLong(Layout.END).flip());
  }

  /** Rows of so many bytes; answers their checksum. */
  private int section(long start, long rows, long rowBytes, Rows source) throws IOException {
    fillUpTo(start);
    sum.reset();
    if (buffer == null || buffer.byteSize() < rowBytes) {
      buffer = arena.allocate(Math.max(BUFFER, rowBytes), 64);
    }
    long most = buffer.byteSize() / rowBytes;
    for (long from = 0; from < rows; from += most) {
      long to = Math.min(rows, from + most);
      MemorySegment block = buffer.asSlice(0, (to - from) * rowBytes);
      source.copy(from, to, block);
      ByteBuffer bytes = block.asByteBuffer();
      sum.update(bytes);
      write(bytes.rewind());
    }
    return (int) sum.getValue();
  }

  /** Writes bytes, followed by their checksum, for which they have room. */
  private void writeSigned(ByteBuffer bytes) throws IOException {
    sum.reset();
    sum.update(bytes.array(), 0, bytes.position());
    write(bytes.putInt((int) sum.getValue()).flip());
  }

  private void fillUpTo(long position) throws IOException {
    write(ByteBuffer.allocate((int) (position - written)));
  }

  private void write(ByteBuffer from) throws IOException {
    written += from.remaining();
    out.write(from);
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void close() {
    arena.close();
  }
}
