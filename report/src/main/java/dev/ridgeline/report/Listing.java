package dev.ridgeline.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Rows as {@code pprof -top} lists them: what each takes alone, and with all that is below it.
 *
 * @param kind what a row is: {@code scope}
 * @param of how many there are, those that take nothing included
 * @param unit writes an amount
 */
public record Listing(String kind, List<Row> rows, int of, DoubleFunction<String> unit) {
  /** A row: what it takes itself, and with what is below it. */
  public record Row(String name, double flat, double cum) {}

  private static final Comparator<Row> LARGEST_FIRST =
      Comparator.comparingDouble(Row::flat).thenComparingDouble(Row::cum).reversed();

  /** The largest of them as text. */
  public String draw(int most) {
    double all = rows.stream().mapToDouble(Row::flat).sum();
    List<Row> sorted =
        rows.stream().sorted(LARGEST_FIRST.thenComparing(Row::name)).limit(most).toList();
    double shown = sorted.stream().mapToDouble(Row::flat).sum();
    StringBuilder text = new StringBuilder();
    String part = percent(shown, all);
    text.append(
        "Showing %ss accounting for %s, %s of %s total\n"
            .formatted(kind, unit.apply(shown), part, unit.apply(all)));
    text.append("Showing top %d %ss out of %d\n".formatted(sorted.size(), kind, of));
    text.append(line("flat", "flat%", "sum%", "cum", "cum%", kind));
    double sum = 0;
    for (Row row : sorted) {
      sum += row.flat;
      String flat = percent(row.flat, all);
      String cum = percent(row.cum, all);
      text.append(
          line(unit.apply(row.flat), flat, percent(sum, all), unit.apply(row.cum), cum, row.name));
    }
    return text.toString();
  }

  private static String line(Object... cells) {
    return "%14s %7s %7s %14s %7s  %s\n".formatted(cells);
  }

  private static String percent(double part, double all) {
    return String.format(Locale.ROOT, "%.2f%%", all == 0 ? 0 : 100 * part / all);
  }
}
