package dev.ridgeline.profiler;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** Watches the JVM and the machine during a session: collections, compiling, steal, memory. */
final class SystemMonitor implements NotificationListener {
  private static final int PAUSES_KEPT = 512;
  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getGarbageCollectorMXBeans();

  /**
   * From the clock of collections to ours, in milliseconds. Collections count from the start of the
   * JVM's management code, which nobody tells; the notification that came quickest shows it best.
   */
  private static long offsetMillis = Long.MAX_VALUE;

  private final long startMillis = nowMillis();
  private final long[] collectionsBefore = new long[COLLECTORS.size()];
  private final long[] millisBefore = new long[COLLECTORS.size()];
  private final long jitBefore = jitMillis();
  private final CompilerThreads compilersBefore = CompilerThreads.read();
  private final long cpuBefore = cpuNanos();
  private final long[] ticksBefore = cpuTicks();

  private final ArrayDeque<SystemActivity.Pause> pauses = new ArrayDeque<>();
  private long heapAfterGc = Profile.UNKNOWN;

  SystemMonitor() {
    for (int i = 0; i < COLLECTORS.size(); i++) {
      GarbageCollectorMXBean collector = COLLECTORS.get(i);
      collectionsBefore[i] = collector.getCollectionCount();
      millisBefore[i] = collector.getCollectionTime();
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(this, null, null);
      }
    }
  }

  void close() {
    for (GarbageCollectorMXBean collector : COLLECTORS) {
      if (collector instanceof NotificationEmitter emitter) {
        try {
          emitter.removeNotificationListener(this);
        } catch (ListenerNotFoundException alreadyGone) {
          // Nothing left to do.
        }
      }
    }
  }

  @Override
  public void handleNotification(Notification notification, Object handback) {
    if (!GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION.equals(
        notification.getType())) {
      return;
    }
    var info = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
    GcInfo gc = info.getGcInfo();
    long at = atMillis(gc);
    // A concurrent cycle is no pause, and a collection from before the session is not ours.
    if (info.getGcName().contains("Cycles") || before(info.getGcName(), gc.getId())) return;
    long heap = heapAfter(gc);
    var pause =
        new SystemActivity.Pause(
            at * 1_000_000,
            gc.getDuration() * 1_000_000,
            info.getGcName(),
            info.getGcCause(),
            heap);
    synchronized (pauses) {
      if (pauses.size() == PAUSES_KEPT) pauses.removeFirst();
      pauses.addLast(pause);
      heapAfterGc = heap;
    }
  }

  private static long heapAfter(GcInfo gc) {
    long heap = 0;
    for (Map.Entry<String, MemoryUsage> pool : gc.getMemoryUsageAfterGc().entrySet()) {
      if (isHeap(pool.getKey())) heap += pool.getValue().getUsed();
    }
    return heap;
  }

  /** Heap in use after the latest collection; all that is in use where there was none yet. */
  static long heapAfterLastCollection() {
    GcInfo latest = null;
    for (GarbageCollectorMXBean collector : COLLECTORS) {
      if (!(collector instanceof com.sun.management.GarbageCollectorMXBean bean)) continue;
      GcInfo last = bean.getLastGcInfo();
      if (last != null && (latest == null || last.getEndTime() > latest.getEndTime())) {
        latest = last;
      }
    }
    return latest == null
        ? ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
        : heapAfter(latest);
  }

  private long atMillis(GcInfo gc) {
    synchronized (COLLECTORS) {
      offsetMillis = Math.min(offsetMillis, nowMillis() - gc.getEndTime());
      return gc.getStartTime() + offsetMillis - startMillis;
    }
  }

  private boolean before(String name, long id) {
    for (int i = 0; i < COLLECTORS.size(); i++) {
      if (COLLECTORS.get(i).getName().equals(name)) return id <= collectionsBefore[i];
    }
    return false;
  }

  private static long nowMillis() {
    return System.nanoTime() / 1_000_000;
  }

  private static boolean isHeap(String pool) {
    return !pool.startsWith("CodeHeap")
        && !pool.startsWith("CodeCache")
        && !pool.equals("Metaspace")
        && !pool.equals("Compressed Class Space");
  }

  SystemActivity activity() {
    List<SystemActivity.Collector> collectors = new ArrayList<>();
    for (int i = 0; i < COLLECTORS.size(); i++) {
      GarbageCollectorMXBean collector = COLLECTORS.get(i);
      collectors.add(
          new SystemActivity.Collector(
              collector.getName(),
              collector.getCollectionCount() - collectionsBefore[i],
              collector.getCollectionTime() - millisBefore[i]));
    }
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    List<SystemActivity.Pause> seen;
    long after;
    synchronized (pauses) {
      seen = List.copyOf(pauses);
      after = heapAfterGc;
    }
    long cpu = since(cpuBefore, cpuNanos());
    return new SystemActivity(
        collectors,
        seen,
        jitMillis(cpu),
        cpu,
        steal(ticksBefore, cpuTicks()),
        after,
        heap.getUsed(),
        heap.getMax(),
        peakRss());
  }

  private long jitMillis(long cpuNanos) {
    long elapsed = since(jitBefore, jitMillis());
    if (elapsed < 0) return Profile.UNKNOWN;
    return CompilerThreads.read()
            .since(compilersBefore, elapsed * 1_000_000, cpuNanos, CompilerThreads.most())
        / 1_000_000;
  }

  private static long since(long before, long now) {
    return before < 0 || now < 0 ? Profile.UNKNOWN : now - before;
  }

  private static long jitMillis() {
    var jit = ManagementFactory.getCompilationMXBean();
    return jit != null && jit.isCompilationTimeMonitoringSupported()
        ? jit.getTotalCompilationTime()
        : Profile.UNKNOWN;
  }

  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? os.getProcessCpuTime()
        : Profile.UNKNOWN;
  }

  /** Share of CPU time stolen between two readings of {@link #cpuTicks}, −1 when unknown. */
  static double steal(long[] before, long[] now) {
    if (before.length < 8 || now.length < 8) return Profile.UNKNOWN;
    long all = 0;
    // user nice system idle iowait irq softirq steal; what follows is counted in user already.
    for (int i = 0; i < 8; i++) all += now[i] - before[i];
    return all <= 0 ? 0 : (double) (now[7] - before[7]) / all;
  }

  private static long[] cpuTicks() {
    String line = firstLine("/proc/stat", "cpu ");
    if (line == null) return new long[0];
    String[] words = line.trim().split("\\s+");
    long[] ticks = new long[words.length - 1];
    for (int i = 1; i < words.length; i++) ticks[i - 1] = Long.parseLong(words[i]);
    return ticks;
  }

  private static long peakRss() {
    String line = firstLine("/proc/self/status", "VmHWM:");
    if (line == null) return Profile.UNKNOWN;
    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
  }

  private static String firstLine(String file, String start) {
    try {
      for (String line : Files.readAllLines(Path.of(file))) if (line.startsWith(start)) return line;
    } catch (IOException notLinux) {
      // Unknown there.
    }
    return null;
  }
}
