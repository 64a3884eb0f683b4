package dev.ridgeline.profiler;

import dev.ridgeline.profiler.SampleTable.Owner;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/**
 * Finds the scope that was open when an event of a recording happened, and counts it there. For use
 * by any thread; readers of two recordings may feed one join.
 */
final class SampleJoin {
  private static final String ASYNC_THREADS = "Async-profiler";
  private static final String AGENT_THREADS = "ridgeline-agent";

  /** Null until the session is there; samples before it are nobody's. */
  private volatile Session session;

  // Below: guarded by this.
  private final SampleTable table = new SampleTable();
  private long ownWeight;

  /** Samples from now on belong to this session. */
  void attach(Session next) {
    session = next;
  }

  Session session() {
    return session;
  }

  /**
   * Counts a sample of running code.
   *
   * @param nanos when it was taken, on the clock of scopes
   * @param weight how much of the event it stands for
   */
  synchronized void cpu(RecordedEvent event, RecordedThread thread, long nanos, long weight) {
    if (thread != null && isOwn(thread)) {
      ownWeight += weight;
      return;
    }
    if (isBefore(nanos)) return;
    List<Location> seen = frames(event);
    if (OwnWork.prepares(seen)) {
      ownWeight += weight;
      return;
    }
    List<Location> frames = OwnWork.fold(seen);
    table.cpu(owner(thread, nanos, frames), stack(frames), name(thread), weight);
  }

  synchronized void allocation(RecordedEvent event, long nanos, long bytes) {
    RecordedThread thread = event.getThread("eventThread");
    if (thread != null && isOwn(thread) || isBefore(nanos)) return;
    List<Location> frames = OwnWork.fold(frames(event));
    String type = typeName(event.getClass("objectClass"));
    table.allocation(owner(thread, nanos, frames), stack(frames), type, bytes);
  }

  synchronized void deoptimization(RecordedEvent event, long nanos) {
    RecordedThread thread = event.getThread("eventThread");
    if (thread != null && isOwn(thread) || isBefore(nanos)) return;
    RecordedMethod method = event.getValue("method");
    if (method == null) return;
    Location code =
        new Location(
            typeName(method.getType()),
            method.getName(),
            Math.max(0, event.getInt("lineNumber")),
            Kind.COMPILED);
    table.deoptimization(owner(thread, nanos, List.of()), code, event.getString("reason"));
  }

  /** Keeps an object that was still there when the recording ended. */
  synchronized void live(RecordedEvent event, long allocatedNanos, LiveObjects live) {
    RecordedThread thread = event.getThread("eventThread");
    RecordedObject object = event.getValue("object");
    if (thread == null || object == null || isOwn(thread) || isBefore(allocatedNanos)) return;
    List<Location> frames = OwnWork.fold(frames(event));
    live.add(
        new LiveObjects.Found(
            owner(thread, allocatedNanos, frames),
            thread.getJavaThreadId(),
            stack(frames),
            typeName(object.<RecordedClass>getValue("type")),
            event.getLong("objectSize")));
  }

  private static String name(RecordedThread thread) {
    if (thread == null) return "";
    String name = thread.getJavaName() == null ? thread.getOSName() : thread.getJavaName();
    if (name != null && !name.isBlank()) return name;
    return thread.isVirtual() ? "virtual threads" : "";
  }

  private static boolean isOwn(RecordedThread thread) {
    String name = name(thread);
    return (name.startsWith(OwnThreads.PREFIX)
        || name.startsWith(ASYNC_THREADS)
        || name.startsWith(AGENT_THREADS));
  }

  private boolean isBefore(long nanos) {
    Session recorded = session;
    return recorded == null || nanos < recorded.startNanos();
  }

  /** The scope that was open on a thread. */
  private Owner owner(RecordedThread thread, long nanos, List<Location> outermostFirst) {
    if (thread == null) return Owner.UNATTRIBUTED;
    // async-profiler knows the carrier alone, and which virtual thread it carried nobody can tell.
    if (!thread.isVirtual() && carries(outermostFirst)) return Owner.UNATTRIBUTED;
    return session.owner(thread.getJavaThreadId(), thread.isVirtual(), nanos);
  }

  private static boolean carries(List<Location> frames) {
    for (Location frame : frames) {
      if (frame.method().equals("enter") && frame.type().equals("jdk.internal.vm.Continuation")) {
        return true;
      }
    }
    return false;
  }

  private int stack(List<Location> outermostFirst) {
    return outermostFirst.isEmpty() ? Samples.NO_STACK : table.stack(outermostFirst);
  }

  private static List<Location> frames(RecordedEvent event) {
    RecordedStackTrace trace = event.getStackTrace();
    List<Location> frames = new ArrayList<>();
    if (trace == null) return frames;
    for (RecordedFrame frame : trace.getFrames().reversed()) {
      RecordedMethod method = frame.getMethod();
      if (method == null) continue;
      Kind kind = kind(frame.getType(), method);
      frames.add(
          new Location(
              kind == Kind.KERNEL ? "kernel" : typeName(method.getType()),
              method.getName(),
              Math.max(0, frame.getLineNumber()),
              kind));
    }
    return frames;
  }

  private static Kind kind(String type, RecordedMethod method) {
    // What async-profiler writes for functions: no Java method can return a class without a name.
    if (method.getDescriptor().endsWith(")L;")) {
      return "Kernel".equals(type) ? Kind.KERNEL : Kind.LIBRARY;
    }
    if (Modifier.isNative(method.getModifiers())) return Kind.NATIVE;
    return switch (type) {
      case "Interpreted" -> Kind.INTERPRETED;
      case "Inlined" -> Kind.INLINED;
      case "Native" -> Kind.NATIVE;
      case null, default -> Kind.COMPILED;
    };
  }

  /** A class as source code names it; a hidden one loses its address, which no run repeats. */
  static String typeName(RecordedClass type) {
    return type == null ? "?" : typeName(type.getName());
  }

  static String typeName(String name) {
    if (name.startsWith("[")) {
      return switch (name.charAt(1)) {
            case '[' -> typeName(name.substring(1));
            case 'L' -> name.substring(2, name.length() - 1);
            case 'Z' -> "boolean";
            case 'B' -> "byte";
            case 'C' -> "char";
            case 'S' -> "short";
            case 'I' -> "int";
            case 'J' -> "long";
            case 'F' -> "float";
            default -> "double";
          }
          + "[]";
    }
    int address = Math.max(name.lastIndexOf("/0x"), name.lastIndexOf(".0x"));
    return address < 0 ? name : name.substring(0, address);
  }

  /** CPU time, or whatever the event is, of the threads that sample. */
  synchronized long ownWeight() {
    return ownWeight;
  }

  /** What was counted so far. */
  synchronized Samples samples(
      Sampling options, String engine, List<Profile.Lane> lanes, Samples.Quality measured) {
    return table.samples(options, engine, lanes, measured);
  }
}
