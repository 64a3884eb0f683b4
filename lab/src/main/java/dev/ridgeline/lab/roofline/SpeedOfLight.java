package dev.ridgeline.lab.roofline;

import dev.ridgeline.lab.roofline.ModelWork.Part;
import dev.ridgeline.lab.roofline.ModelWork.Task;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How fast a machine could possibly do a model's work: one part after the other, each at the
 * ceiling that binds it.
 *
 * @param level where weights and cache are taken to come from: the nearest memory that holds them
 * @param lines of each layer's parts
 */
public record SpeedOfLight(Level level, List<Line> lines) {
  public SpeedOfLight {
    lines = List.copyOf(lines);
  }

  /** A task and its floor. */
  public record Line(Task task, double operations, Floor floor) {}

  /**
   * Lines of one part in all layers, added up.
   *
   * @param limit what binds most of its time
   */
  public record Sum(
      Part part,
      long weightBytes,
      long cacheBytes,
      double operations,
      double seconds,
      String limit) {}

  public static SpeedOfLight of(List<Task> tasks, Ceilings roof) {
    Level level = Floor.home(tasks.stream().mapToDouble(Task::bytes).sum(), roof);
    List<Line> lines = new ArrayList<>();
    for (Task task : tasks) {
      Map<Arithmetic, Double> operations = new EnumMap<>(Arithmetic.class);
      task.operations()
          .forEach(
              (type, count) -> operations.merge(Floor.arithmetic(type, roof), count, Double::sum));
      double all = operations.values().stream().mapToDouble(Double::doubleValue).sum();
      lines.add(new Line(task, all, Floor.of(task.bytes(), level, operations, roof)));
    }
    return new SpeedOfLight(level, lines);
  }

  /** Of everything. */
  public double seconds() {
    return lines.stream().mapToDouble(line -> line.floor.seconds()).sum();
  }

  /** Each part over all layers; none that has nothing to do. */
  public List<Sum> parts() {
    List<Sum> sums = new ArrayList<>();
    for (Part part : Part.values()) {
      Sum sum = sum(part, lines.stream().filter(line -> line.task.part() == part).toList());
      if (sum.operations > 0) sums.add(sum);
    }
    return sums;
  }

  /** All parts of all layers, without what comes behind them. */
  public Sum layers() {
    return sum(null, lines.stream().filter(line -> line.task.layer() >= 0).toList());
  }

  /** Everything. */
  public Sum total() {
    return sum(null, lines);
  }

  private static Sum sum(Part part, List<Line> lines) {
    long weights = 0;
    long cache = 0;
    double operations = 0;
    double seconds = 0;
    Map<String, Double> limits = new TreeMap<>();
    for (Line line : lines) {
      weights += line.task.weightBytes();
      cache += line.task.cacheBytes();
      operations += line.operations;
      seconds += line.floor.seconds();
      limits.merge(line.floor.limit(), line.floor.seconds(), Double::sum);
    }
    String limit =
        limits.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse("");
    return new Sum(part, weights, cache, operations, seconds, limit);
  }
}
