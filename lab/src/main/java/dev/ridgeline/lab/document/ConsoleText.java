package dev.ridgeline.lab.document;

import dev.ridgeline.lab.chart.ChartText;
import dev.ridgeline.lab.document.Document.Detail;
import dev.ridgeline.lab.document.Document.Drawing;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Document.Figure;
import dev.ridgeline.lab.document.Document.Gap;
import dev.ridgeline.lab.document.Document.Note;
import dev.ridgeline.lab.document.Document.Part;
import dev.ridgeline.report.Text;
import java.util.ArrayList;
import java.util.List;

/** A document as lines of a console: the answer first, then what it rests on. */
public final class ConsoleText {
  /** A longer path yields what is between its phase and its end. */
  private static final int PATH = 44;

  private static final int CHART = 120;

  private final Document document;
  private final int width;
  private final boolean letters;
  private final int names;
  private final List<String> lines = new ArrayList<>();

  private ConsoleText(Document document, int width, boolean letters) {
    this.document = document;
    this.width = width;
    this.letters = letters;
    int longest = document.headline().isEmpty() ? 0 : Document.ASKED.length();
    for (Part part : document.parts()) {
      if (part instanceof Fact fact) longest = Math.max(longest, fact.name().length());
    }
    this.names = longest;
  }

  /** The lines, however long. */
  public static List<String> lines(Document document) {
    return lines(document, Integer.MAX_VALUE, false);
  }

  /**
   * The lines.
   *
   * @param width cells to a line at most
   * @param letters whether a chart is drawn of letters alone
   */
  public static List<String> lines(Document document, int width, boolean letters) {
    return new ConsoleText(document, width, letters).draw();
  }

  private List<String> draw() {
    document.warnings().forEach(this::line);
    if (!document.headline().isEmpty()) {
      gap();
      boolean more = !document.answer().isEmpty();
      line(document.headline() + (more ? ": " + document.answer() : ""));
      gap();
    }
    document.withQuestion().forEach(this::part);
    return lines;
  }

  private void part(Part part) {
    switch (part) {
      case Fact fact -> line("  %s  %s".formatted(Text.left(fact.name(), names), fact.text()));
      case Note note -> line(note.text());
      case Gap _ -> gap();
      case Table table -> table(table);
      case Figure figure -> {
        line(figure.chart().title());
        lines.addAll(ChartText.lines(figure.chart(), Math.min(width, CHART), letters));
      }
      case Drawing _, Detail _ -> {}
    }
  }

  private void table(Table table) {
    gap();
    if (!table.heading().isEmpty()) line("  " + table.heading());
    List<List<String>> rows = new ArrayList<>(List.of(table.heads()));
    for (Table.Row row : table.rows()) {
      List<String> cells = new ArrayList<>(row.cells());
      cells.set(0, shortened(cells.getFirst()));
      rows.add(cells);
    }
    int[] widths = new int[table.columns().size()];
    for (List<String> row : rows) {
      row.replaceAll(Text::clean);
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], Text.width(row.get(i)));
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = row.get(i);
        line.append("  ");
        line.append(table.left(i) ? Text.left(cell, widths[i]) : Text.right(cell, widths[i]));
      }
      line(line.toString());
    }
  }

  /** The phase that a place belongs to and its end tell places apart; what is between yields. */
  private static String shortened(String path) {
    int first = path.indexOf(" › ");
    if (first < 0 || Text.width(path) <= PATH) return path;
    int second = path.indexOf(" › ", first + 1);
    String phase = second < 0 ? "" : path.substring(first + 3, second) + " › ";
    String rest = second < 0 ? path : path.substring(second + 3);
    int room = PATH - Text.width(phase) - 1;
    while (Text.width(rest) > room && rest.matches("(?s).+? [›⇉] .+")) {
      rest = rest.replaceFirst("(?s)^.+? [›⇉] ", "");
    }
    return Text.fit(phase + "…" + rest, PATH);
  }

  private void gap() {
    if (!lines.isEmpty() && !lines.getLast().isEmpty()) lines.add("");
  }

  private void line(String text) {
    lines.add(Text.fit(Text.clean(text).stripTrailing(), width));
  }
}
