package dev.ridgeline.cli;

/**
 * What the user looks at. Java cannot ask this of each stream, so the launcher does and says it in
 * {@code ridgeline.terminal}: {@code out}, {@code err}, both or nothing, and the width.
 *
 * @param output whether standard output is a terminal
 * @param errors whether standard error is a terminal: progress is drawn there
 * @param colours whether standard output may be coloured
 * @param columns its width
 */
public record Terminal(boolean output, boolean errors, boolean colours, int columns) {
  private static final int USUAL_COLUMNS = 100;

  public static Terminal detect() {
    String streams = System.getProperty("ridgeline.terminal", "");
    boolean output = streams.contains("out");
    String noColour =
        System.getenv("NO_COLOR"); // https://no-color.org: any value but the empty one
    boolean colours =
        output && (noColour == null || noColour.isEmpty()) && !"dumb".equals(System.getenv("TERM"));
    int columns = Integer.getInteger("ridgeline.columns", USUAL_COLUMNS);
    return new Terminal(output, streams.contains("err"), colours, columns);
  }
}
