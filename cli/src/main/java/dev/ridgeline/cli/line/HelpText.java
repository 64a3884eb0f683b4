package dev.ridgeline.cli.line;

import java.util.LinkedHashMap;
import picocli.CommandLine;
import picocli.CommandLine.IHelpSectionRenderer;

/**
 * Help whose addresses and paths stay in one piece: picocli breaks lines wherever Java's break
 * iterator allows it, behind the slashes of a path for instance.
 */
public final class HelpText {
  /** Zero-width no-break space: glue to the break iterator, and taken out before printing. */
  private static final String GLUE = "\uFEFF";

  private HelpText() {}

  /** The same text, which no line ends in. */
  static String unbroken(String text) {
    return text.replaceAll("(?<=[/.:-])(?=.)", GLUE);
  }

  /** Prints help without the glue. */
  public static CommandLine on(CommandLine line) {
    var sections = new LinkedHashMap<String, IHelpSectionRenderer>();
    line.getHelpSectionMap()
        .forEach(
            (key, section) -> sections.put(key, help -> section.render(help).replace(GLUE, "")));
    return line.setHelpSectionMap(sections);
  }
}
