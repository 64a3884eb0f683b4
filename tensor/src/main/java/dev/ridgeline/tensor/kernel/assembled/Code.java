package dev.ridgeline.tensor.kernel.assembled;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.zip.CRC32;

/** The kernels that this process has assembled, by name. They stay as long as it does. */
public final class Code {
  /** The system property that has their names written where {@code perf} looks for them. */
  public static final String PERF_PROPERTY = "ridgeline.perf-map";

  private static final ConcurrentSkipListMap<String, Function> ALL = new ConcurrentSkipListMap<>();

  private Code() {}

  /**
   * A kernel.
   *
   * @param id what it does, for which tier, in tiles of which size
   * @param address where it runs
   */
  public record Kernel(String id, byte[] code, long address) {
    /** Eight hexadecimal digits that differ where the code does. */
    public String digest() {
      var sum = new CRC32();
      sum.update(code);
      return "%08x".formatted(sum.getValue());
    }

    /** As plans name it: {@code q8_0-vnni-6x32 1a2b3c4d}. */
    @Override
    public String toString() {
      return id + " " + digest();
    }
  }

  /**
   * The function of this name.
   *
   * @param emitter makes its code when it is first called
   */
  static Function function(String id, Emitter emitter) {
    Function made = new Function(id, emitter);
    Function before = ALL.putIfAbsent(id, made);
    return before == null ? made : before;
  }

  /** Puts code where it can run. */
  static MemorySegment map(String id, byte[] code) {
    MemorySegment mapped = ExecutableMemory.map(code, Arena.global());
    if (Boolean.getBoolean(PERF_PROPERTY)) name(new Kernel(id, code, mapped.address()));
    return mapped;
  }

  /** One line for each kernel, as perf reads it: address, bytes, name. */
  private static synchronized void name(Kernel kernel) {
    Path map = Path.of("/tmp/perf-%d.map".formatted(ProcessHandle.current().pid()));
    String line = "%x %x ridgeline %s%n".formatted(kernel.address, kernel.code.length, kernel.id);
    try {
      Files.writeString(map, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those that were assembled so far, by name. */
  public static List<Kernel> all() {
    return ALL.values().stream().map(Function::kernel).filter(Objects::nonNull).toList();
  }

  /** Those that anybody may call. */
  static List<Kernel> assembled() {
    ALL.values().forEach(Function::assemble);
    return all();
  }
}
