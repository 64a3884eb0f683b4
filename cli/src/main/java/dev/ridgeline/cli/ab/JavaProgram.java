package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A Java program of the user's own, to which each side adds options of the JVM and arguments.
 *
 * @param command as it was typed: {@code java -jar app.jar …}
 */
record JavaProgram(List<String> command) {
  /** Options whose value is the next word. */
  private static final Set<String> WITH_VALUE =
      Set.of(
          "-cp",
          "-classpath",
          "--class-path",
          "-p",
          "--module-path",
          "--upgrade-module-path",
          "--add-modules",
          "--limit-modules",
          "--add-opens",
          "--add-exports",
          "--add-reads",
          "--patch-module",
          "--source");

  /** What names the program. */
  private static final Set<String> PROGRAM = Set.of("-jar", "-m", "--module");

  /** Options that only a JVM has; whatever else a side says is an argument of the program. */
  private static final Pattern OF_JVM =
      Pattern.compile(
          "-D.+|-X.+|-ea(:.*)?|-da(:.*)?|-esa|-dsa|-verbose(:.*)?|-javaagent:.*|-agent(lib|path):.*"
              + "|--(add|enable|limit|patch)-[a-z-]+(=.*)?");

  /** Whether words start a Java program. */
  static boolean is(List<String> words) {
    return !words.isEmpty() && Path.of(words.getFirst()).endsWith("java");
  }

  /** What a side runs. Its options follow those of both sides, so that they win. */
  List<String> line(Side side) {
    if (side.revision() != null) throw new Problem("revisions are of ridgeline, not of " + this);
    int program = program();
    List<String> line = new ArrayList<>(command);
    List<String> jvm = new ArrayList<>(side.jvm());
    for (String option : side.options()) {
      if (OF_JVM.matcher(option).matches()) jvm.add(option);
      else line.add(option);
    }
    line.addAll(program, jvm);
    if (side.java() != null) line.set(0, side.java().resolve("bin/java").toString());
    return line;
  }

  /** Where options of the JVM end. */
  private int program() {
    int at = 1;
    while (at < command.size()) {
      String word = command.get(at);
      if (PROGRAM.contains(word) || !word.startsWith("-") && !word.startsWith("@")) return at;
      at += WITH_VALUE.contains(word) ? 2 : 1;
    }
    throw new Problem("%s: neither -jar nor a class to run".formatted(this));
  }

  @Override
  public String toString() {
    return String.join(" ", command);
  }
}
