package dev.ridgeline.model.imports;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A whole file, mapped to be read. */
record Mapping(Path path, MemorySegment bytes, Arena arena) implements AutoCloseable {
  static Mapping of(Path path) {
    ImportException.refuseAllButFiles(path);
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size == 0) throw new ImportException(path, "is empty");
      return new Mapping(path, channel.map(MapMode.READ_ONLY, 0, size, arena), arena);
    } catch (IOException e) {
      arena.close();
      throw ImportException.of(path, e);
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  long size() {
    return bytes.byteSize();
  }

  @Override
  public void close() {
    arena.close();
  }
}
