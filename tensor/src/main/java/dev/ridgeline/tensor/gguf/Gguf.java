package dev.ridgeline.tensor.gguf;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/**
 * An open GGUF file, versions 2 and 3: its metadata and its tensors, mapped and not copied.
 *
 * <p>Safe for use by several threads; whoever closes it makes sure that nobody still reads, since
 * kernels see bare addresses.
 */
public final class Gguf implements AutoCloseable {
  private final Path path;
  private final Arena arena;
  private final long bytes;
  private final Header header;

  private Gguf(Path path, Arena arena, MemorySegment file) {
    this.path = path;
    this.arena = arena;
    this.bytes = file.byteSize();
    this.header = Header.read(path, file);
  }

  /** Maps a file and reads its header; a {@link GgufException} says what is wrong with it. */
  public static Gguf open(Path path) {
    Arena arena = Arena.ofShared();
    try {
      return new Gguf(path, arena, map(path, arena));
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  private static MemorySegment map(Path path, Arena arena) {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new GgufException(path, "is not a file");
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
    } catch (NoSuchFileException e) {
      throw new GgufException(path, "does not exist", e);
    } catch (AccessDeniedException e) {
      throw new GgufException(path, "may not be read", e);
    } catch (IOException e) {
      throw new GgufException(path, "cannot be read: " + e.getMessage(), e);
    }
  }

  public Path path() {
    return path;
  }

  /** The size of the file. */
  public long bytes() {
    return bytes;
  }

  /** The version of the format. */
  public int version() {
    return header.version();
  }

  public Metadata metadata() {
    return header.metadata();
  }

  /** All tensors, in the file's order. */
  public List<GgufTensor> tensors() {
    return List.copyOf(header.tensors().values());
  }

  public boolean has(String name) {
    return header.tensors().containsKey(name);
  }

  /** The tensor of a name; without one a {@link GgufException} that says which are alike. */
  public GgufTensor tensor(String name) {
    Map<String, GgufTensor> tensors = header.tensors();
    GgufTensor tensor = tensors.get(name);
    if (tensor != null) return tensor;
    List<String> alike = NearMisses.of(name, tensors.keySet());
    String hint = alike.isEmpty() ? "" : "; it has " + String.join(", ", alike);
    throw new GgufException(path, "has no tensor %s%s".formatted(name, hint));
  }

  /** Gives back the memory of a tensor that has been copied elsewhere; it can still be read. */
  public void release(GgufTensor tensor) {
    Pages.release(tensor.data());
  }

  @Override
  public void close() {
    arena.close();
  }
}
