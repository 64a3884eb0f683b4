package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Samples.Event;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import dev.ridgeline.profiler.Samples.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What samples saw of a scope's own code, its inner scopes left aside: in which methods it was, how
 * much of it was interpreted, what it allocated and what was deoptimised there.
 */
final class Inside {
  /** Fewer samples than this say nothing about shares. */
  static final long ENOUGH_SAMPLES = 20;

  private static final int METHODS_SAID = 3;
  private static final double WORTH_SAYING = 0.03;

  /** Others publish below {@code com.sun}, too, JNA for instance: only packages of its modules. */
  private static final List<String> JDK =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "com.sun.crypto.provider.",
          "com.sun.jmx.",
          "com.sun.jndi.",
          "com.sun.management.",
          "com.sun.naming.",
          "com.sun.net.httpserver.",
          "com.sun.org.apache.",
          "com.sun.security.");

  private long samples;
  private long weight;
  private long interpretedWeight;
  private final Map<String, Long> methods = new HashMap<>();
  private long allocatedBytes;
  private long allocationSamples;
  private final Map<String, Long> types = new HashMap<>();
  private final Map<String, Long> allocators = new HashMap<>();
  private long deoptimizations;
  private final Map<String, Long> deoptimized = new HashMap<>();

  private Inside() {}

  /** By scope; only those that were sampled. */
  static Map<Node, Inside> of(Profile profile, CallTree tree) {
    Map<Node, Inside> inside = new IdentityHashMap<>();
    Samples samples = profile.samples();
    String[] names = new String[samples.calls().size()];
    for (Samples.Cpu row : samples.cpu()) {
      if (row.lane() < 0) continue;
      Inside scope = at(inside, tree, row.lane(), row.node());
      scope.samples += row.samples();
      scope.weight += row.weight();
      if (row.stack() == Samples.NO_STACK) continue;
      Location leaf = samples.locations().get(samples.calls().get(row.stack()).location());
      if (leaf.kind() == Kind.INTERPRETED) scope.interpretedWeight += row.weight();
      scope.methods.merge(method(samples, row.stack(), names), row.weight(), Long::sum);
    }
    for (Samples.Allocated row : samples.allocations()) {
      if (row.lane() < 0) continue;
      Inside scope = at(inside, tree, row.lane(), row.node());
      scope.allocationSamples += row.samples();
      scope.allocatedBytes += row.bytes();
      scope.types.merge(row.type(), row.bytes(), Long::sum);
      if (row.stack() != Samples.NO_STACK) {
        scope.allocators.merge(method(samples, row.stack(), names), row.bytes(), Long::sum);
      }
    }
    for (Samples.Deoptimized row : samples.deoptimizations()) {
      if (row.lane() < 0) continue;
      Inside scope = at(inside, tree, row.lane(), row.node());
      Location code = samples.locations().get(row.location());
      scope.deoptimizations += row.times();
      scope.deoptimized.merge(
          row.reason() + " in " + name(code) + ":" + code.line(), row.times(), Long::sum);
    }
    return inside;
  }

  private static Inside at(Map<Node, Inside> all, CallTree tree, int lane, int node) {
    return all.computeIfAbsent(tree.places(lane).get(node), _ -> new Inside());
  }

  private static String method(Samples samples, int stack, String[] names) {
    if (names[stack] == null) names[stack] = name(samples.stack(stack));
    return names[stack];
  }

  /**
   * What a stack is in, in the program's terms: its own method, or the method of the JDK that it
   * called, rather than what that is made of. Outside of Java it is the function, but of the JVM
   * the one that was called, which says what for.
   */
  static String name(List<Location> innermostFirst) {
    Location said = innermostFirst.getFirst();
    if (said.kind().outsideJava()) return name(function(innermostFirst));
    for (Location location : innermostFirst) {
      if (!isJdk(location.type())) return name(isJdk(said.type()) ? said : location);
      said = location;
    }
    return name(innermostFirst.getFirst());
  }

  private static Location function(List<Location> innermostFirst) {
    Location said = innermostFirst.getFirst();
    if (!isJvm(said)) return said;
    for (Location location : innermostFirst) {
      if (!isJvm(location)) break;
      said = location;
    }
    return said;
  }

  private static boolean isJvm(Location location) {
    return location.kind() == Kind.LIBRARY && location.type().startsWith("libjvm.");
  }

  /** Whether code is the program's, and neither the JDK's nor ours. */
  static boolean isProgram(Location location) {
    return !location.kind().outsideJava()
        && !isJdk(location.type())
        && !location.type().equals("dev.ridgeline");
  }

  private static boolean isJdk(String type) {
    for (String packages : JDK) if (type.startsWith(packages)) return true;
    return false;
  }

  /** {@code Math.exp}, or {@code deflate (libz.so)}. */
  static String name(Location location) {
    String type = location.type();
    if (location.kind().outsideJava()) {
      return type.isEmpty() ? location.method() : location.method() + " (" + type + ")";
    }
    return type.substring(type.lastIndexOf('.') + 1) + "." + location.method();
  }

  /** CPU samples. */
  long samples() {
    return samples;
  }

  /** Part of the CPU time, or whatever was sampled by, that went to the interpreter. */
  double interpreted() {
    return weight == 0 ? 0 : (double) interpretedWeight / weight;
  }

  /** Methods by their part of the CPU time, or whatever was sampled by, largest first. */
  List<Map.Entry<String, Double>> methods() {
    return shares(methods, weight);
  }

  /** Heap bytes that allocation samples stand for. */
  long allocatedBytes() {
    return allocatedBytes;
  }

  long allocationSamples() {
    return allocationSamples;
  }

  /** Allocated classes by their part of the bytes, largest first. */
  List<Map.Entry<String, Double>> types() {
    return shares(types, allocatedBytes);
  }

  /** Methods by their part of the allocated bytes, largest first. */
  List<Map.Entry<String, Double>> allocators() {
    return shares(allocators, allocatedBytes);
  }

  long deoptimizations() {
    return deoptimizations;
  }

  /** Reasons with their places by their part of the deoptimisations, largest first. */
  List<Map.Entry<String, Double>> deoptimized() {
    return shares(deoptimized, deoptimizations);
  }

  private static List<Map.Entry<String, Double>> shares(Map<String, Long> parts, long whole) {
    return parts.entrySet().stream()
        .map(part -> Map.entry(part.getKey(), whole == 0 ? 0 : (double) part.getValue() / whole))
        .sorted(
            Comparator.comparingDouble((Map.Entry<String, Double> part) -> part.getValue())
                .reversed()
                .thenComparing(Map.Entry::getKey))
        .toList();
  }

  /** Whether there are enough samples for {@link #sentence}. */
  boolean tellsMethods() {
    return samples >= ENOUGH_SAMPLES && !methods.isEmpty();
  }

  /** {@code 61 % Math.exp · 9 % Softmax.rows · 4 % interpreted}; empty for too few samples. */
  String sentence() {
    if (!tellsMethods()) return "";
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, Double> method : methods()) {
      if (parts.size() == METHODS_SAID || method.getValue() < WORTH_SAYING) break;
      parts.add(percent(method.getValue()) + " " + method.getKey());
    }
    if (interpreted() >= WORTH_SAYING) parts.add(percent(interpreted()) + " interpreted");
    return String.join(" · ", parts);
  }

  /** Without decimals: samples do not carry them. */
  static String percent(double fraction) {
    return Math.round(100 * fraction) + " %";
  }

  /** {@code CPU sample}; those by another event than time are just samples. */
  static String kind(Samples samples) {
    return samples.event() == Event.CPU ? "CPU sample" : "sample";
  }

  /** What stands below every listing of samples: how many there are, and what is missing. */
  static String quality(Samples samples) {
    long all = 0;
    long weight = 0;
    long outside = 0;
    long ofJvm = 0;
    long unknown = 0;
    for (Samples.Cpu row : samples.cpu()) {
      all += row.samples();
      weight += row.weight();
      boolean jvm = row.lane() == Samples.OUTSIDE && isJvmThread(samples, row.stack());
      if (jvm) ofJvm += row.weight();
      else if (row.lane() == Samples.OUTSIDE) outside += row.weight();
      if (row.lane() == Samples.UNATTRIBUTED) unknown += row.weight();
    }
    if (all == 0) return "";
    List<String> parts = new ArrayList<>();
    String each =
        samples.event() == Event.CPU
            ? Quantity.time((double) weight / all) + " of CPU time"
            : Quantity.count(weight / all) + " " + samples.event().words();
    String by = samples.source() == Source.ASYNC ? "Sampled by " + samples.engine() + ": " : "";
    parts.add(by + Quantity.many(all, kind(samples)) + ", one for each " + each);
    parts.add(percent((double) outside / weight) + " outside of scopes");
    if (ofJvm > 0) parts.add(percent((double) ofJvm / weight) + " in threads of the JVM");
    if (unknown > 0) parts.add(percent((double) unknown / weight) + " not attributed");
    if (samples.quality().lost() > 0) {
      parts.add(Quantity.count(samples.quality().lost()) + " lost");
    }
    parts.add(
        samples.quality().clockErrorNanos() == 0
            ? "scopes found on the same clock"
            : "scopes found to ±" + Quantity.time(samples.quality().clockErrorNanos()));
    return String.join(", ", parts) + ".";
  }

  /** Compilers and collectors run without a Java method on their stacks. */
  private static boolean isJvmThread(Samples samples, int stack) {
    return stack != Samples.NO_STACK
        && samples.stack(stack).stream().allMatch(at -> at.kind().outsideJava());
  }
}
