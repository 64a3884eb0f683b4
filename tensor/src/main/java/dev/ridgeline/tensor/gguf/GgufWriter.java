package dev.ridgeline.tensor.gguf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.ridgeline.tensor.Printable;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Writes GGUF files, version 3: metadata and tensors in the order they were given, so the same
 * input makes the same bytes.
 *
 * <p>Numbers of tensors are asked for one after the other while the file is written and never held
 * together. The file is there whole or not at all. Not safe for use by several threads.
 */
public final class GgufWriter {
  /** The numbers of one tensor, written when the file has come to them. */
  @FunctionalInterface
  public interface Source {
    /** Writes exactly the bytes that type and shape have announced. */
    void write(WritableByteChannel out) throws IOException;

    /** Numbers that are in memory already, outside the heap or in an array of any kind. */
    static Source of(MemorySegment data) {
      return out -> {
        // A buffer holds less than 2 GiB.
        for (long at = 0; at < data.byteSize(); at += CHUNK) {
          MemorySegment chunk = data.asSlice(at, Math.min(CHUNK, data.byteSize() - at));
          // An array of other numbers than bytes cannot be seen as a buffer.
          writeFully(
              out,
              chunk.isNative() ? chunk.asByteBuffer() : ByteBuffer.wrap(chunk.toArray(JAVA_BYTE)));
        }
      };
    }
  }

  private record Planned(TensorType type, long[] shape, long bytes, Source source) {}

  private static final int CHUNK = 1 << 24;
  private static final int VERSION = 3;

  /** Others refuse names that do not fit 64 bytes with a zero at the end. */
  private static final int LONGEST_TENSOR_NAME = 63;

  private final Map<String, MemorySegment> metadata = new LinkedHashMap<>();
  private final Map<String, Planned> tensors = new LinkedHashMap<>();
  private int alignment = Header.DEFAULT_ALIGNMENT;

  /**
   * Sets a key.
   *
   * @param value a {@code String}, {@code Integer} (u32, i32 when negative), {@code Long} (u64, i64
   *     when negative), {@code Float}, {@code Double}, {@code Boolean}; {@code String[]} or {@code
   *     List<String>}, {@code int[]} (i32), {@code float[]}, {@code boolean[]}
   */
  public GgufWriter put(String key, Object value) {
    if (key.equals(Header.ALIGNMENT)) {
      throw new IllegalArgumentException(Header.ALIGNMENT + " is the writer's own");
    }
    byte[] encoded = new Encoding().value(key, value).toByteArray();
    metadata.put(key, MemorySegment.ofArray(encoded));
    return this;
  }

  /** Takes over all metadata of an open file, byte for byte; later values replace them. */
  public GgufWriter putAll(Metadata from) {
    for (String key : from.keys()) metadata.put(key, from.encoded(key));
    alignment = from.integer(Header.ALIGNMENT, alignment);
    return this;
  }

  /** Drops a key that {@link #putAll} brought. */
  public GgufWriter remove(String key) {
    metadata.remove(key);
    return this;
  }

  /**
   * Announces a tensor.
   *
   * @param shape the row's length first
   */
  public GgufWriter tensor(String name, TensorType type, long[] shape, Source data) {
    if (name.isEmpty() || name.getBytes(StandardCharsets.UTF_8).length > LONGEST_TENSOR_NAME) {
      throw new IllegalArgumentException(
          "tensor name '%s' is not of 1 to %d bytes"
              .formatted(Printable.line(name), LONGEST_TENSOR_NAME));
    }
    long count = 1;
    for (long length : shape) count = Math.multiplyExact(count, length);
    if (count < 1 || shape[0] % type.blockSize() != 0) {
      throw new IllegalArgumentException(
          "tensor %s: shape %s does not fit %s"
              .formatted(Printable.line(name), Arrays.toString(shape), type.word()));
    }
    Planned planned = new Planned(type, shape.clone(), type.bytes(count), data);
    if (tensors.putIfAbsent(name, planned) != null) {
      throw new IllegalArgumentException(
          "tensor %s is there twice".formatted(Printable.line(name)));
    }
    return this;
  }

  /** Writes all of it, or leaves what was there before and throws a {@link GgufException}. */
  public void write(Path path) {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new GgufException(path, "is not a file");
    }
    Path unfinished =
        path.resolveSibling(".tmp-%s-%s".formatted(UUID.randomUUID(), path.getFileName()));
    Thread interrupted = new Thread(() -> discard(unfinished), "discard-unfinished-file");
    try {
      Runtime.getRuntime().addShutdownHook(interrupted);
      writeAndMove(unfinished, path);
    } catch (IOException e) {
      throw new GgufException(path, "cannot be written: " + reason(e), e);
    } finally {
      discard(unfinished); // which is there no more, if all went well
      forget(interrupted);
    }
  }

  private void writeAndMove(Path unfinished, Path path) throws IOException {
    try (FileChannel file =
        FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      write(file);
    }
    move(unfinished, path);
  }

  private void write(FileChannel file) throws IOException {
    writeFully(file, ByteBuffer.wrap(header()));
    for (Map.Entry<String, Planned> entry : tensors.entrySet()) {
      Planned planned = entry.getValue();
      long start = file.position();
      planned.source.write(file);
      long written = file.position() - start;
      if (written != planned.bytes) {
        throw new IllegalStateException(
            "tensor %s: %,d bytes written, %,d announced"
                .formatted(entry.getKey(), written, planned.bytes));
      }
      writeFully(file, ByteBuffer.allocate((int) (aligned(written) - written)));
    }
  }

  private byte[] header() {
    Encoding header = new Encoding();
    header.integer(Header.MAGIC).integer(VERSION).whole(tensors.size()).whole(metadata.size());
    metadata.forEach(
        (key, encoded) -> {
          header.string(key);
          header.writeBytes(encoded.toArray(JAVA_BYTE));
        });
    long offset = 0;
    for (Map.Entry<String, Planned> entry : tensors.entrySet()) {
      Planned planned = entry.getValue();
      header.string(entry.getKey()).integer(planned.shape.length);
      for (long length : planned.shape) header.whole(length);
      header.integer(planned.type.code()).whole(offset);
      offset += aligned(planned.bytes);
    }
    header.writeBytes(new byte[(int) (aligned(header.size()) - header.size())]);
    return header.toByteArray();
  }

  private long aligned(long bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  private static void writeFully(WritableByteChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) out.write(bytes);
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void discard(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // What stopped the writing is the news, not what stops the tidying.
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process is ending, and the hook with it.
    }
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "its folder does not exist";
      case AccessDeniedException _ -> "permission denied";
      case FileSystemException f when f.getReason() != null -> f.getReason();
      default -> e.getMessage();
    };
  }
}
