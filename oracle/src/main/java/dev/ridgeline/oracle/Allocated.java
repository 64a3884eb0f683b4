package dev.ridgeline.oracle;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * What work allocates once it has been done, counted by one run of an interpreter. With a JIT it
 * could only be told after a row of clean rounds, which a rare allocation has, too.
 *
 * <p>Work should use one worker: with more, who does what is a matter of timing, and so is whether
 * a thread does something for the first time, which may cost it memory that it keeps.
 */
public final class Allocated {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Pattern LINE = Pattern.compile("(.+): (\\d+) bytes");

  private Allocated() {}

  /** The bytes that a program printed, by what it calls them. */
  public static Map<String, Long> by(Class<?> program, String... arguments) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    String said = new OtherJvm(OtherJvm.INTERPRETED, program, arguments).said();
    for (String line : said.lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) throw new AssertionError(said);
      bytes.put(matcher.group(1), Long.valueOf(matcher.group(2)));
    }
    return bytes;
  }

  /** For such a program: does work twice, and prints what the second time allocated. */
  public static void again(String what, Runnable work) {
    work.run();
    long[] threads = threads();
    total(threads);
    long before = total(threads);
    work.run();
    print(what, total(threads) - before);
  }

  public static void print(String what, long bytes) {
    System.out.println(what + ": " + bytes + " bytes");
  }

  /** This thread and all of the pool. */
  private static long[] threads() {
    return LongStream.concat(
            LongStream.of(Thread.currentThread().threadId()),
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ridgeline-worker"))
                .mapToLong(Thread::threadId))
        .toArray();
  }

  private static long total(long[] threads) {
    long own = Thread.currentThread().threadId();
    long sum = 0;
    for (long thread : threads) {
      sum +=
          thread == own
              ? THREADS.getCurrentThreadAllocatedBytes()
              : THREADS.getThreadAllocatedBytes(thread);
    }
    return sum;
  }
}
