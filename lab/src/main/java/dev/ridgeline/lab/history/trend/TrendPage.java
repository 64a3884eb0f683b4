package dev.ridgeline.lab.history.trend;

import static dev.ridgeline.lab.page.Page.escape;

import dev.ridgeline.lab.chart.ChartSvg;
import dev.ridgeline.lab.page.Page;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Trends as one page that opens offline: a plot each, and a row for each change. */
public final class TrendPage {
  private TrendPage() {}

  /**
   * Writes the page.
   *
   * @param asked the metric, as it was asked for
   */
  public static void write(String asked, List<Trend> trends, OutputStream out) throws IOException {
    String series = trends.stream().map(TrendPage::section).collect(Collectors.joining("\n"));
    Page.write("trend.html", Map.of("asked", escape(asked), "series", series), out);
  }

  private static String section(Trend trend) {
    return "%s<p class=\"legend\">%s<br>%s<br>%s · %s</p>\n%s%s"
        .formatted(
            ChartSvg.of(TrendChart.of(trend)),
            escape(trend.newest().title()),
            escape(trend.newest().machine().line()),
            escape(TrendText.runs(trend)),
            escape(TrendText.summary(trend)),
            lately(trend),
            changes(trend));
  }

  private static String lately(Trend trend) {
    String lately = TrendText.lately(trend);
    return lately.isEmpty() ? "" : "<p class=\"warning\">" + escape(lately) + "</p>\n";
  }

  private static String changes(Trend trend) {
    if (trend.changes().isEmpty()) return "";
    StringBuilder table = new StringBuilder("<table class=\"changes\">\n<thead><tr>");
    for (String head : List.of("", "change", "last before", "first after", "place", "")) {
      table.append("<th>").append(head).append("</th>");
    }
    table.append("</tr></thead>\n<tbody>\n");
    for (int i = 0; i < trend.changes().size(); i++) {
      Trend.Change change = trend.changes().get(i);
      String word = trend.word(change);
      String told = TrendText.change(trend, change);
      table.append(
          Page.row(
              word.equals("worse") || word.equals("better") ? word : "",
              Integer.toString(i + 1),
              told.substring(told.indexOf(": ") + 2),
              TrendText.name(trend.points().get(Math.max(0, change.index() - 1))),
              TrendText.name(trend.points().get(change.index())),
              TrendText.place(change),
              word));
    }
    return table.append("</tbody>\n</table>\n").toString();
  }
}
