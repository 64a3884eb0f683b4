package dev.ridgeline.cli.experiment;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Words with holes: <code>{level}</code> is where the parameter of that name goes, as it stands;
 * <code>{{level}}</code> is what it says in single braces, and <code>${HOME}</code> the shell's.
 */
final class Template {
  static final String NAME = "[A-Za-z][A-Za-z0-9_-]*";

  private static final Pattern HOLE =
      Pattern.compile("\\{\\{(" + NAME + ")}}|\\$\\{" + NAME + "}|\\{(" + NAME + ")}");

  private final Map<String, String> values;
  private final Set<String> used;
  private final Function<String, RuntimeException> unknown;

  /**
   * @param values of the parameters
   * @param used which of them were asked for: added to
   * @param unknown what is thrown for a hole that nothing goes into
   */
  Template(
      Map<String, String> values, Set<String> used, Function<String, RuntimeException> unknown) {
    this.values = values;
    this.used = used;
    this.unknown = unknown;
  }

  String fill(String words) {
    Matcher hole = HOLE.matcher(words);
    StringBuilder filled = new StringBuilder();
    while (hole.find()) {
      String goes = hole.group();
      if (hole.group(1) != null) {
        goes = "{" + hole.group(1) + "}";
      } else if (hole.group(2) != null) {
        goes = values.get(hole.group(2));
        if (goes == null) throw unknown.apply(hole.group(2));
        used.add(hole.group(2));
      }
      hole.appendReplacement(filled, Matcher.quoteReplacement(goes));
    }
    return hole.appendTail(filled).toString();
  }
}
