package dev.ridgeline.lab.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The shell of a page that opens offline: its look, and what it may do. */
public final class Page {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Page() {}

  /**
   * Writes a page.
   *
   * @param body HTML; only where it has a script may the page run one
   */
  public static void write(String title, String body, OutputStream out) throws IOException {
    String scripts = body.contains("<script") ? "; script-src 'unsafe-inline'" : "";
    String page =
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="UTF-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src 'unsafe-inline'%s">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%s</title>
        <style>
        %s</style>
        </head>
        <body>
        %s</body>
        </html>
        """
            .formatted(scripts, escape(title), style(), body);
    out.write(page.getBytes(StandardCharsets.UTF_8));
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

  private static String style() throws IOException {
    try (InputStream in = Page.class.getResourceAsStream("style.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
