package dev.ridgeline.cli.line;

import java.util.Map;

/**
 * What the user looks at. Java cannot ask this of each stream, so the launcher does and says it in
 * {@code ridgeline.terminal}: {@code out}, {@code err}, both or nothing, and the width.
 *
 * @param output whether standard output is a terminal
 * @param errors whether standard error is a terminal that can be drawn on: progress is
 * @param colours whether standard output may be coloured
 * @param columns its width
 */
public record Terminal(boolean output, boolean errors, boolean colours, int columns) {
  private static final int USUAL_COLUMNS = 100;

  public static Terminal detect() {
    return of(
        System.getProperty("ridgeline.terminal", ""),
        System.getenv(),
        Integer.getInteger("ridgeline.columns", USUAL_COLUMNS));
  }

  static Terminal of(String streams, Map<String, String> environment, int columns) {
    boolean output = streams.contains("out");
    // One that knows neither colours nor how to erase a line.
    boolean dumb = "dumb".equals(environment.get("TERM"));
    // https://no-color.org: any value but the empty one
    boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty();
    return new Terminal(
        output, streams.contains("err") && !dumb, output && !plain && !dumb, columns);
  }
}
