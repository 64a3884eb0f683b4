package dev.ridgeline.lab.document;

import static dev.ridgeline.lab.page.Page.escape;

import dev.ridgeline.lab.chart.ChartSvg;
import dev.ridgeline.lab.document.Document.Detail;
import dev.ridgeline.lab.document.Document.Drawing;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Document.Figure;
import dev.ridgeline.lab.document.Document.Gap;
import dev.ridgeline.lab.document.Document.Note;
import dev.ridgeline.lab.document.Document.Part;
import dev.ridgeline.lab.page.Page;
import dev.ridgeline.report.Quantity;
import java.io.IOException;
import java.io.OutputStream;

/** A document as one page that opens offline: all of it, details and drawings, too. */
public final class HtmlPage {
  private final StringBuilder html = new StringBuilder();

  /** Whether the last part was a fact, of which there may be more in the same list. */
  private boolean facts;

  private HtmlPage() {}

  /** Writes the page. */
  public static void write(Document document, OutputStream out) throws IOException {
    HtmlPage page = new HtmlPage();
    page.draw(document);
    String end = document.headline().isEmpty() ? "" : document.headline() + " · ";
    Page.write(end + document.title(), page.html.toString(), out);
  }

  private void draw(Document document) {
    line("<h1>%s</h1>", document.title());
    for (String each : document.warnings()) line("<p class=\"warning\">%s</p>", each);
    if (!document.headline().isEmpty()) {
      String style = document.tone().style();
      line("<p class=\"" + ("verdict " + style).strip() + "\">%s</p>", document.headline());
    }
    if (!document.answer().isEmpty()) line("<p>%s</p>", document.answer());
    document.parts().forEach(this::part);
    facts(false);
  }

  private void part(Part part) {
    facts(part instanceof Fact || part instanceof Detail(Fact _));
    switch (part) {
      case Detail detail -> part(detail.part());
      case Fact fact -> fact(fact);
      case Note note -> line("<p class=\"legend\">%s</p>", note.text());
      case Table table -> table(table);
      case Figure figure -> html.append(ChartSvg.of(figure.chart()));
      case Drawing drawing -> html.append(drawing.html().get());
      case Gap _ -> {}
    }
  }

  private void facts(boolean now) {
    if (now && !facts) html.append("<dl class=\"facts\">\n");
    if (!now && facts) html.append("</dl>\n");
    facts = now;
  }

  private void fact(Fact fact) {
    String text = escape(fact.text());
    html.append("<dt>").append(escape(fact.name())).append("</dt>");
    html.append(fact.warns() ? "<dd class=\"warning\">" : "<dd>");
    html.append(fact.code() ? "<code>" + text + "</code>" : text).append("</dd>\n");
  }

  private void table(Table table) {
    if (!table.title().isEmpty()) line("<h2>%s</h2>", table.title());
    if (!table.legend().isEmpty()) line("<p class=\"legend\">%s</p>", table.legend());
    html.append("<table>\n<thead><tr>");
    for (int i = 0; i < table.columns().size(); i++) cell(table, i, "th", table.columns().get(i));
    html.append("</tr></thead>\n<tbody>\n");
    for (Table.Row row : table.rows()) {
      html.append("<tr class=\"").append(row.tone().style()).append("\">");
      int text = row.bars() == null ? row.cells().size() : row.cells().size() - 1;
      for (int i = 0; i < text; i++) cell(table, i, "td", row.cells().get(i));
      if (row.bars() != null) bars(row.bars()[0], row.bars()[1]);
      html.append("</tr>\n");
    }
    html.append("</tbody>\n</table>\n");
  }

  private void cell(Table table, int column, String kind, String text) {
    boolean linked = table.columns().get(column).equals(Table.RECORD) && kind.equals("td");
    html.append(table.left(column) ? "<" + kind + " class=\"words\">" : "<" + kind + ">");
    html.append(linked && !text.isEmpty() ? link(text) : escape(text));
    html.append("</").append(kind).append('>');
  }

  /** A way to a folder next to the page. */
  private static String link(String folder) {
    String way = folder.replace("%", "%25").replace("#", "%23").replace("?", "%3F");
    return "<a href=\"./%s/\">%s</a>".formatted(escape(way), escape(folder));
  }

  private void bars(double before, double after) {
    html.append("<td class=\"bars\"><i style=\"width:").append(percent(before));
    html.append("\"></i><b class=\"").append(after > before ? "more" : "less");
    html.append("\" style=\"width:").append(percent(after)).append("\"></b></td>");
  }

  private static String percent(double part) {
    return Quantity.fixed(100 * Math.clamp(part, 0, 1), 1) + "%";
  }

  private void line(String format, String text) {
    html.append(format.formatted(escape(text))).append('\n');
  }
}
