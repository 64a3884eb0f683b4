package dev.ridgeline.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How something measured changes along an axis, and which of its parts changes with it.
 *
 * @param name what is measured: {@code a token by its position}
 * @param unit of the values: {@code ms}
 * @param labels the axis, one for each point: {@code 32–63}
 * @param parts what adds up to the whole, each with a value for every point
 * @param note what to read from it, or empty
 */
public record Series(String name, String unit, List<String> labels, List<Part> parts, String note) {

  /** One of the parts. */
  public record Part(String name, List<Double> values) {
    public Part {
      values = List.copyOf(values);
      for (double value : values) {
        if (!(value >= 0 && value <= Double.MAX_VALUE)) {
          throw new IllegalArgumentException(name + " has " + value);
        }
      }
    }
  }

  public Series {
    labels = List.copyOf(labels);
    parts = List.copyOf(parts);
    if (labels.isEmpty() || parts.isEmpty()) throw new IllegalArgumentException(name + " is empty");
    for (Part part : parts) {
      if (part.values().size() != labels.size()) {
        throw new IllegalArgumentException(
            "%s: %d points, but %d values of %s"
                .formatted(name, labels.size(), part.values().size(), part.name()));
      }
    }
  }

  /** All parts of a point together. */
  public double whole(int point) {
    return parts.stream().mapToDouble(part -> part.values().get(point)).sum();
  }

  /** The largest point. */
  double most() {
    double most = 0;
    for (int i = 0; i < labels.size(); i++) most = Math.max(most, whole(i));
    return most;
  }

  /** What each column of a table shows: the whole first, then its parts where there are several. */
  List<String> columns() {
    List<String> columns = new ArrayList<>(List.of(unit));
    if (parts.size() > 1) parts.forEach(part -> columns.add(part.name()));
    return Collections.unmodifiableList(columns);
  }

  /** The cells of a point's row, as {@link #columns} names them. */
  List<String> cells(int point) {
    List<String> cells = new ArrayList<>(List.of(Quantity.number(whole(point))));
    if (parts.size() > 1) {
      parts.forEach(part -> cells.add(Quantity.number(part.values().get(point))));
    }
    return Collections.unmodifiableList(cells);
  }
}
