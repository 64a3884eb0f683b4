package dev.ridgeline.lab.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One HTML file made of a template with holes, and what goes into them. */
public final class Page {
  private static final Pattern HOLE = Pattern.compile("\\{\\{(\\w+)}}");

  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Page() {}

  /**
   * Writes a page.
   *
   * @param template name of a file beside this class
   * @param parts HTML by the name of its hole
   */
  public static void write(String template, Map<String, String> parts, OutputStream out)
      throws IOException {
    Map<String, String> all = new HashMap<>(parts);
    all.put("style", text("style.css"));
    Matcher hole = HOLE.matcher(text(template));
    StringBuilder page = new StringBuilder();
    while (hole.find()) {
      hole.appendReplacement(page, Matcher.quoteReplacement(all.get(hole.group(1))));
    }
    hole.appendTail(page);
    out.write(page.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** A row of a table whose cells are text. */
  public static String row(String style, String... cells) {
    StringBuilder row = new StringBuilder("<tr class=\"" + style + "\">");
    for (String cell : cells) row.append("<td>").append(escape(cell)).append("</td>");
    return row.append("</tr>\n").toString();
  }

  /** A row whose last cell is a way to a folder beside the page; none where that is empty. */
  public static String rowWithLink(String style, String folder, String... cells) {
    String row = row(style, cells);
    String way = escape(folder.replace("%", "%25").replace("#", "%23").replace("?", "%3F"));
    String link = folder.isEmpty() ? "" : "<a href=\"./%s/\">%s</a>".formatted(way, escape(folder));
    return row.replace("</tr>", "<td>" + link + "</td></tr>");
  }

  /** A moment as people read it: {@code 2026-11-16 14:43:57 UTC}. */
  public static String moment(Instant time) {
    return MOMENT.format(time);
  }

  /** A text that can end nothing and begin nothing. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String text(String file) throws IOException {
    try (InputStream in = Page.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
