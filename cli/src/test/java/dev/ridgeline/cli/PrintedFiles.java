package dev.ridgeline.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What people read in the files that a command has written: pages, Markdown and text. */
final class PrintedFiles {
  /** Below a run; the trials of an experiment are deeper. */
  private static final int DEPTH = 3;

  private static final Pattern READ = Pattern.compile("(?i).*\\.(html|md|txt)");
  private static final Pattern DATA =
      Pattern.compile("(?s)<script type=\"application/json\"[^>]*>(.*?)</script>");
  private static final Pattern UNREAD =
      Pattern.compile("(?s)<script.*?</script>|<style.*?</style>");
  private static final Pattern TAG = Pattern.compile("</?([a-z][a-z0-9]*)\\b[^>]*>");

  private static final Map<String, String> ENTITIES =
      Map.of("&lt;", "<", "&gt;", ">", "&quot;", "\"", "&#39;", "'", "&nbsp;", " ");

  private PrintedFiles() {}

  /** The text of all files below a folder that were written since then. */
  static String below(Path folder, Instant since) {
    if (!Files.isDirectory(folder)) return "";
    try (Stream<Path> files = Files.walk(folder, DEPTH)) {
      return files
          .filter(file -> READ.matcher(file.getFileName().toString()).matches())
          .filter(file -> !file.toFile().isDirectory())
          .filter(file -> file.toFile().lastModified() >= since.toEpochMilli())
          .map(PrintedFiles::text)
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return shown(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a page shows: code as Markdown marks it, each text of its data on a line of its own. */
  static String shown(String page) {
    if (!page.contains("<html")) return page;
    StringBuilder shown = new StringBuilder();
    Matcher data = DATA.matcher(page);
    while (data.find()) texts(JsonMapper.shared().readTree(data.group(1)), shown);
    String text = UNREAD.matcher(page).replaceAll("");
    text = TAG.matcher(text).replaceAll(tag -> tag.group(1).equals("code") ? "`" : "\n");
    for (var entity : ENTITIES.entrySet()) {
      text = text.replace(entity.getKey(), entity.getValue());
    }
    return shown.append(text.replace("&amp;", "&")).toString();
  }

  private static void texts(JsonNode node, StringBuilder all) {
    if (node.isString()) all.append(node.stringValue()).append('\n');
    for (JsonNode each : node) texts(each, all);
  }
}
