package dev.ridgeline.lab.document;

import static dev.ridgeline.report.Markdown.code;
import static dev.ridgeline.report.Markdown.escape;

import dev.ridgeline.lab.chart.ChartText;
import dev.ridgeline.lab.document.Document.Detail;
import dev.ridgeline.lab.document.Document.Drawing;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Document.Figure;
import dev.ridgeline.lab.document.Document.Gap;
import dev.ridgeline.lab.document.Document.Note;
import dev.ridgeline.lab.document.Document.Part;
import dev.ridgeline.report.Markdown;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A document as Markdown, for a pull request. */
public final class MarkdownText {
  private static final int CHART = 80;

  private final List<String> lines = new ArrayList<>();

  private MarkdownText() {}

  /** The lines. */
  public static List<String> lines(Document document) {
    MarkdownText text = new MarkdownText();
    text.paragraph(document.headline().isEmpty() ? "" : "### " + escape(document.headline()));
    for (String each : document.warnings()) text.paragraph("**" + escape(each) + "**");
    text.paragraph(escape(document.answer()));
    document.withQuestion().forEach(text::part);
    return text.lines;
  }

  private void part(Part part) {
    switch (part) {
      case Fact fact -> {
        String text = fact.code() ? "`" + code(fact.text()) + "`" : escape(fact.text());
        // What has no name goes on with what is above it.
        lines.add(fact.name().isEmpty() ? "  " + text : "- " + fact.name() + ": " + text);
      }
      case Note note -> paragraph(escape(note.text()));
      case Gap _ -> gap();
      case Table table -> table(table);
      case Figure figure -> {
        paragraph("#### " + escape(figure.chart().title()));
        lines.add("```text");
        lines.addAll(ChartText.lines(figure.chart(), CHART, false));
        lines.add("```");
        gap();
      }
      case Drawing _, Detail _ -> {}
    }
  }

  private void table(Table table) {
    gap();
    if (!table.heading().isEmpty()) paragraph("#### " + escape(table.heading()));
    lines.add(row(table.heads()));
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < table.columns().size(); i++) line.append(table.left(i) ? "---|" : "--:|");
    lines.add(line.toString());
    for (Table.Row row : table.rows()) lines.add(row(row.cells()));
  }

  private static String row(List<String> cells) {
    return cells.stream().map(Markdown::escape).collect(Collectors.joining(" | ", "| ", " |"));
  }

  private void paragraph(String text) {
    if (text.isEmpty()) return;
    gap();
    lines.add(text);
    lines.add("");
  }

  private void gap() {
    if (!lines.isEmpty() && !lines.getLast().isEmpty()) lines.add("");
  }
}
