package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is special about one side.
 *
 * @param options of the workload
 * @param revision of this program, or null for the one that is running
 * @param java home of another JDK, or null
 * @param jvm options of its JVM
 * @param command a foreign program, or null
 */
record Side(List<String> options, String revision, Path java, List<String> jvm, String command) {

  /** The options by which a side is said. */
  record Options(
      Setting<String> options,
      Setting<String> revision,
      Setting<Path> java,
      Setting<String> jvm,
      Setting<String> command) {

    static Options of(String letter) {
      String side = letter.toUpperCase(Locale.ROOT);
      return new Options(
          text(
              letter,
              "OPTIONS",
              "Options of the workload on side " + side + "; of a Java program, of its JVM, too."),
          text(
              letter + "-rev",
              "REV",
              "Side " + side + " is this revision of ridgeline, built in a worktree of its own."),
          Setting.path("--" + letter + "-java HOME", "Side " + side + " runs on this JDK."),
          text(letter + "-jvm", "OPTIONS", "More options for the JVM of side " + side + "."),
          text(letter + "-command", "COMMAND", "Side " + side + " is this command, given to sh."));
    }

    private static Setting<String> text(String name, String label, String description) {
      return Setting.text("--" + name + " " + label, description);
    }

    List<Setting<?>> all() {
      return List.of(options, revision, java, jvm, command);
    }
  }

  static Side of(Settings settings, Options given) {
    Path java = settings.read(given.java());
    if (java != null && !Files.isExecutable(java.resolve("bin/java"))) {
      throw new Problem("%s %s: no bin/java in it".formatted(given.java().name(), java));
    }
    String command = settings.read(given.command());
    Side side =
        new Side(
            words(given.options().name(), settings.read(given.options())),
            settings.read(given.revision()),
            java,
            jvm(given.jvm().name(), settings.read(given.jvm())),
            command);
    if (command == null) return side;
    for (Setting<?> each : given.all()) {
      if (each != given.command() && settings.given(each)) {
        throw new Problem("%s does not go with %s".formatted(each.name(), given.command().name()));
      }
    }
    return side;
  }

  /** A word that is no option would be taken for the class to start. */
  private static List<String> jvm(String name, String line) {
    List<String> words = words(name, line);
    for (String word : words) {
      if (!word.startsWith("-")) throw new Problem("%s: %s is no option".formatted(name, word));
    }
    return words;
  }

  /** Whether it is this program on this JVM, so that options alone can make a difference. */
  boolean sameProgram() {
    return revision == null && java == null && jvm.isEmpty() && command == null;
  }

  /** In words, for people. */
  String words() {
    List<String> words = new ArrayList<>();
    if (revision != null) words.add(revision);
    if (java != null) words.add("on " + java);
    words.addAll(jvm);
    words.addAll(options);
    if (command != null) words.add(command);
    return words.isEmpty() ? "as it is" : String.join(" ", words);
  }

  /** Splits as a shell would, as far as quotes go. */
  static List<String> words(String name, String line) {
    List<String> words = new ArrayList<>();
    if (line == null) return words;
    StringBuilder word = null;
    char quote = 0;
    for (char c : line.toCharArray()) {
      if (quote != 0) {
        if (c == quote) quote = 0;
        else word.append(c);
      } else if (Character.isWhitespace(c)) {
        if (word != null) words.add(word.toString());
        word = null;
      } else {
        if (word == null) word = new StringBuilder();
        if (c == '\'' || c == '"') quote = c;
        else word.append(c);
      }
    }
    if (quote != 0) throw new Problem("%s: a quote %c is not closed".formatted(name, quote));
    if (word != null) words.add(word.toString());
    return words;
  }
}
