package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.fail;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Whether the commands within a text start where that was printed: each is typed again, and ends
 * where its work would begin. Of commands that differ only in names and numbers, one stands for
 * all.
 */
final class StartedCommands {
  /** What a help text shows are examples: of files that a reader may have. */
  private static final String HELP = "Usage: ridgeline";

  private static final Set<String> STARTED = ConcurrentHashMap.newKeySet();

  private StartedCommands() {}

  /**
   * Fails where one of a text's commands cannot be typed, or does not start.
   *
   * @param start types a command, without {@code ridgeline}
   */
  static void check(String printed, Function<List<String>, Typed> start) {
    String text = PrintedFiles.shown(printed);
    PrintedCommands.check(text);
    if (text.contains(HELP)) return;
    for (List<String> words : PrintedCommands.in(text)) {
      for (List<String> each : all(words)) {
        if (STARTED.contains(shape(each))) continue;
        Typed typed = start.apply(each);
        if (typed.code() == ExitCode.BAD_QUESTION || typed.code() == ExitCode.DEFECT) {
          fail(
              "does not start as printed: ridgeline %s%n%s%nprinted in:%n%s",
              String.join(" ", each), typed.err(), lines(text, words));
        }
        STARTED.add(shape(each));
      }
    }
  }

  /** Remembers one that was just run and did start: a report repeats it. */
  static void started(List<String> words) {
    STARTED.add(shape(words));
  }

  /** The lines of a text that could hold these words. */
  private static String lines(String text, List<String> words) {
    return text.lines()
        .filter(line -> words.stream().limit(2).allMatch(line::contains))
        .collect(Collectors.joining("\n"));
  }

  /** A command and the trials that it would start. */
  private static List<List<String>> all(List<String> words) {
    List<List<String>> all = new ArrayList<>(List.of(words));
    all.addAll(PrintedCommands.trials(words));
    return all;
  }

  /** In this process, up to where its work begins. */
  static Typed rehearse(List<String> words) {
    var out = new StringWriter();
    var err = new StringWriter();
    var line =
        Main.commandLine(new Terminal(false, false, false, 100))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    int code =
        ScopedValue.where(Rehearsal.HERE, true)
            .call(() -> Main.run(line, words.toArray(String[]::new)));
    return new Typed(code, out.toString(), err.toString());
  }

  /** By the launcher, where and as another was started. */
  static Typed rehearse(Path folder, Map<String, String> environment, List<String> words) {
    Map<String, String> more = new HashMap<>(environment);
    String options = more.getOrDefault("RIDGELINE_JVM_OPTS", "");
    more.put(
        "RIDGELINE_JVM_OPTS",
        "%s -D%s=true".formatted(options == null ? "" : options, Rehearsal.PROPERTY).strip());
    List<String> command = new ArrayList<>(List.of(FakeMachine.launcher().toString()));
    command.addAll(words);
    Outcome ended = Outcome.unchecked(folder, more, command);
    return new Typed(ended.code(), ended.out(), ended.err());
  }

  /** Options and kinds of values: {@code report RUN --format html}. */
  private static String shape(List<String> words) {
    return words.stream().map(StartedCommands::kind).collect(Collectors.joining(" "));
  }

  private static String kind(String word) {
    if (word.contains(" ")) return shape(List.of(word.split(" +")));
    if (word.matches("\\d{8}T\\d{6}Z-.*")) return "RUN";
    if (word.matches("[0-9a-f]{7,40}(\\+.*)?")) return "REVISION";
    if (word.matches("[\\d.,]+[a-z%]*")) return "NUMBER";
    String name = word.replaceFirst("^-.*?=", "");
    if (!name.contains("/")) return word;
    return word.replace(name, "FILE" + name.replaceFirst(".*/[^.]*", ""));
  }
}
