package dev.ridgeline.profiler;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The CPU time of the JVM's compilers. The JVM itself tells only how long its compilers took, by
 * the clock on the wall: on a machine with other work that is more than they ever computed.
 *
 * @param nanos CPU time of each thread of the process, by its number in the system
 * @param compilers those of them that compile
 */
record CompilerThreads(Map<Long, Long> nanos, Map<Long, Long> compilers) {
  /** With so many, one of each kind, the JVM ends none of them. */
  private static final int LASTING = 2;

  /** What the system tells now; nothing where it does not. */
  static CompilerThreads read() {
    Map<Long, Long> nanos = new HashMap<>();
    Map<Long, Long> compilers = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path thread : threads) read(thread, nanos, compilers);
    } catch (IOException | DirectoryIteratorException notLinux) {
      // Unknown there.
    }
    return new CompilerThreads(nanos, compilers);
  }

  private static void read(Path thread, Map<Long, Long> nanos, Map<Long, Long> compilers) {
    try {
      long id = Long.parseLong(thread.getFileName().toString());
      long used = Long.parseLong(Files.readString(thread.resolve("schedstat")).split("\\s+")[0]);
      nanos.put(id, used);
      // The system cuts names after 15 letters.
      if (Files.readString(thread.resolve("comm")).contains(" CompilerT")) compilers.put(id, used);
    } catch (IOException | NumberFormatException ended) {
      // Between the list and the look.
    }
  }

  /** How many compilers this JVM may have at once. */
  static int most() {
    try {
      var vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      if (vm == null) return Integer.MAX_VALUE;
      return Integer.parseInt(vm.getVMOption("CICompilerCount").getValue());
    } catch (IllegalArgumentException otherJvm) {
      return Integer.MAX_VALUE;
    }
  }

  /**
   * CPU time that compiling took since an earlier reading, or the most that it can have been.
   *
   * @param elapsed what the JVM tells
   * @param process CPU time of the whole process, or {@link Profile#UNKNOWN}
   * @param most compilers that there may be at once
   */
  long since(CompilerThreads before, long elapsed, long process, int most) {
    if (elapsed < 0 || process < 0) return elapsed;
    long bound = Math.min(elapsed, process);
    if (compilers.isEmpty()) return bound;
    long compiling = sumSince(before.nanos, compilers);
    // A compiler that has ended took its time with it, among what other ended threads used.
    long ended = most <= LASTING ? 0 : Math.max(0, process - sumSince(before.nanos, nanos));
    return Math.min(bound, compiling + ended);
  }

  private static long sumSince(Map<Long, Long> before, Map<Long, Long> now) {
    long sum = 0;
    for (Map.Entry<Long, Long> thread : now.entrySet()) {
      sum += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
    }
    return sum;
  }
}
