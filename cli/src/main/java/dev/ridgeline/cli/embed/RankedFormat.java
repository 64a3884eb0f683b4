package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.embed.Comparison.Close;
import dev.ridgeline.cli.texts.Entry;
import dev.ridgeline.report.Text;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * How texts that were compared with a query are written.
 *
 * @param inLines whether each is a line of its input, whose number is told
 */
record RankedFormat(boolean inLines) {

  /**
   * For people: line, cosine and text.
   *
   * @param columns that a line may take, or 0
   */
  String text(List<Close> ranked, int columns) {
    int digits = ranked.stream().mapToInt(close -> line(close.entry()).length()).max().orElse(0);
    StringBuilder text = new StringBuilder();
    for (Close close : ranked) {
      String row = inLines ? Text.right(line(close.entry()), digits) + "  " : "";
      row += "%7.4f  %s".formatted(close.cosine(), Text.clean(close.entry().text()));
      text.append(columns > 0 ? Text.fit(row, columns) : row).append('\n');
    }
    return text.toString();
  }

  /** An object a line. */
  String jsonLines(List<Close> ranked) {
    return ranked.stream().map(close -> json(close) + "\n").collect(Collectors.joining());
  }

  /** One object. */
  String json(String model, String query, List<Close> ranked) {
    return ranked.stream()
        .map(this::json)
        .collect(
            Collectors.joining(
                ",\n",
                "{\"model\":%s,\"query\":%s,\"results\":[\n"
                    .formatted(quoted(model), quoted(query)),
                "]}\n"));
  }

  private String json(Close close) {
    Entry entry = close.entry();
    StringBuilder json = new StringBuilder("{\"index\":").append(entry.index());
    if (inLines) json.append(",\"line\":").append(line(entry));
    json.append(",\"score\":").append((float) close.cosine());
    json.append(",\"text\":").append(quoted(entry.text()));
    if (entry.fields() != null) json.append(",\"fields\":").append(entry.fields());
    return json.append('}').toString();
  }

  private static String line(Entry entry) {
    return Long.toString(entry.index() + 1);
  }

  private static String quoted(String text) {
    return JsonMapper.shared().writeValueAsString(text);
  }
}
