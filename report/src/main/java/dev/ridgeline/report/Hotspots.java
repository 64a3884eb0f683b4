package dev.ridgeline.report;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Samples.Location;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where sampled code was, whatever the scopes: methods, packages and threads. For a program that
 * has few scopes or none, this is the profile, and it says what would make good ones.
 */
public final class Hotspots {
  private static final int PATTERNS = 3;
  private static final double WORTH_A_PATTERN = 0.10;

  private final Samples samples;
  private final Map<String, Part> methods = new HashMap<>();
  private final Map<String, Part> packages = new HashMap<>();
  private final Map<String, Part> classes = new HashMap<>();
  private long count;
  private long weight;
  private long outside;

  private Hotspots(Samples samples) {
    this.samples = samples;
    String[] names = new String[samples.calls().size()];
    for (Samples.Cpu row : samples.cpu()) {
      count += row.samples();
      weight += row.weight();
      if (row.lane() == Samples.OUTSIDE) outside += row.weight();
      if (row.stack() != Samples.NO_STACK) add(row, names);
    }
  }

  /** What the samples of a profile say. */
  public static Hotspots of(Profile profile) {
    return new Hotspots(profile.samples());
  }

  /**
   * A method, package or thread.
   *
   * @param self part of the samples that were in its own code
   * @param total part of the samples that were in it or in what it called; 0 where nothing calls
   */
  public record Row(String name, double self, double total) {}

  private static final class Part {
    private long self;
    private long total;
  }

  /** Whether samples tell more about this program than scopes do. */
  boolean leads() {
    return count > 0 && outside > weight / 2;
  }

  /** Methods by what they took themselves, largest first. */
  List<Row> methods(int most) {
    return rows(methods, most);
  }

  /** Packages by what their code took, the JDK's on behalf of it left out, largest first. */
  List<Row> packages(int most) {
    return rows(packages, most);
  }

  /** Threads by what they took, largest first. */
  List<Row> threads(int most) {
    return samples.threads().stream()
        .sorted(
            Comparator.comparingLong(Samples.OfThread::weight)
                .reversed()
                .thenComparing(Samples.OfThread::thread))
        .limit(most)
        .map(
            row ->
                new Row(row.thread().isEmpty() ? "(no name)" : row.thread(), part(row.weight()), 0))
        .toList();
  }

  /**
   * Patterns that would make scopes of the program's hot code: its packages, or the classes that
   * are in none.
   */
  public List<String> patterns() {
    List<String> scopes = new ArrayList<>();
    for (Row row : rows(classes, Integer.MAX_VALUE)) {
      boolean enough = scopes.size() == PATTERNS || row.self < WORTH_A_PATTERN;
      if (enough && !scopes.isEmpty()) break;
      int dot = row.name.lastIndexOf('.');
      String scope = dot < 0 ? row.name : row.name.substring(0, dot);
      if (scopes.stream().anyMatch(other -> (scope + ".").startsWith(other + "."))) continue;
      scopes.removeIf(other -> other.startsWith(scope + "."));
      scopes.add(scope);
    }
    Set<String> unpacked = classes.keySet();
    return scopes.stream().map(s -> unpacked.contains(s) ? s : s + ".**").toList();
  }

  private void add(Samples.Cpu row, String[] names) {
    List<Location> stack = samples.stack(row.stack());
    if (names[row.stack()] == null) names[row.stack()] = Inside.name(stack);
    String leaf = names[row.stack()];
    at(methods, leaf).self += row.weight();
    Set<String> seen = new HashSet<>();
    boolean first = true;
    for (Location location : stack) {
      if (!Inside.isProgram(location)) continue;
      String method = Inside.name(location);
      if (seen.add(method)) at(methods, method).total += row.weight();
      String type = topLevel(location.type());
      if (seen.add(type + '/')) at(classes, type).total += row.weight();
      String name = packageOf(type);
      if (first) at(packages, name).self += row.weight();
      if (seen.add(name + "/*")) at(packages, name).total += row.weight();
      if (first) at(classes, type).self += row.weight();
      first = false;
    }
    if (seen.add(leaf)) at(methods, leaf).total += row.weight();
    if (first) {
      Part rest = at(packages, stack.getFirst().kind().outsideJava() ? "(native)" : "(JDK alone)");
      rest.self += row.weight();
      rest.total += row.weight();
    }
  }

  private static String topLevel(String type) {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }

  private static String packageOf(String type) {
    int dot = type.lastIndexOf('.');
    return dot < 0 ? "(no package)" : type.substring(0, dot);
  }

  private static Part at(Map<String, Part> parts, String name) {
    return parts.computeIfAbsent(name, _ -> new Part());
  }

  private List<Row> rows(Map<String, Part> parts, int most) {
    return parts.entrySet().stream()
        .filter(part -> part.getValue().self > 0)
        .map(
            part -> new Row(part.getKey(), part(part.getValue().self), part(part.getValue().total)))
        .sorted(Comparator.comparingDouble(Row::self).reversed().thenComparing(Row::name))
        .limit(most)
        .toList();
  }

  private double part(long of) {
    return weight == 0 ? 0 : (double) of / weight;
  }
}
