package dev.ridgeline.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A report as one HTML file that needs nothing else: style, script and data are inside, and its
 * content security policy forbids the network.
 *
 * <p>The page's parts are next to this class under {@code html/}; {@code report.html} is the
 * template that names them in the order in which they are put together.
 */
public final class Html {
  private static final Pattern HOLE = Pattern.compile("\\{\\{([a-z.]+)}}");

  private Html() {}

  /** Writes the whole page; the writer should encode UTF-8 and stays open. */
  public static void write(Report report, Writer out) throws IOException {
    String template = part("html/report.html");
    Matcher hole = HOLE.matcher(template);
    int written = 0;
    while (hole.find()) {
      out.append(template, written, hole.start());
      switch (hole.group(1)) {
        case "title" -> out.append(escape(report.headline().title()));
        case "roofline" -> out.append(RooflinePlot.inside(report));
        case "data" -> HtmlData.write(report, out);
        default -> out.append(part("html/" + hole.group(1)));
      }
      written = hole.end();
    }
    out.append(template, written, template.length());
  }

  /** A part of a page or a picture, by its path from here. */
  public static String part(String path) throws IOException {
    try (InputStream in = Html.class.getResourceAsStream(path)) {
      if (in == null) throw new IOException("the part " + path + " is missing");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static String escape(String text) {
    String whole = new String(text.getBytes(StandardCharsets.UTF_16), StandardCharsets.UTF_16);
    return whole.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
