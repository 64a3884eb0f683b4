package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.profile.ProfileCommand;
import dev.ridgeline.cli.workload.AsProfile;
import dev.ridgeline.cli.workload.WorkloadKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.json.JsonMapper;

/**
 * Commands of ridgeline within a text that people read, and whether each could be typed as it
 * stands: a shell splits it into words, and the command line takes them.
 */
final class PrintedCommands {
  private static final Map<String, CommandLine> COMMANDS = commandLine().getSubcommands();

  private static final Pattern BEGINNING =
      Pattern.compile(
          "(?m)(?<![\\w./:-])(?<!Usage: )(?:\\./)?ridgeline (?=(?:%s)(?![\\w-]))"
              .formatted(String.join("|", COMMANDS.keySet())));

  private static final Pattern JSON_STRING = Pattern.compile("((?:[^\"\\\\\n]|\\\\.)*)\"");

  /** What ends a command within a sentence or a table. */
  private static final Set<String> ENDS =
      Set.of(">", ">>", "<", "|", "&&", "&", "#", "→", "·", "…");

  private static final Set<String> SOUND = ConcurrentHashMap.newKeySet();

  private PrintedCommands() {}

  /** Fails where one of a text's commands cannot be typed. */
  static void check(String text) {
    for (List<String> words : in(text)) {
      String line = String.join(" ", words);
      if (SOUND.contains(line)) continue;
      try {
        assertThat(words).as("'%s'", line).noneMatch(PrintedCommands::isPlaceholder);
        parse(words);
      } catch (RuntimeException e) {
        fail("cannot be typed as printed: ridgeline %s: %s%n%s", line, e.getMessage(), text);
      }
      SOUND.add(line);
    }
  }

  /** The words after {@code ridgeline} of each command in a text. */
  static List<List<String>> in(String text) {
    List<List<String>> commands = new ArrayList<>();
    Matcher matcher = BEGINNING.matcher(text);
    while (matcher.find()) {
      char before = matcher.start() == 0 ? '\n' : text.charAt(matcher.start() - 1);
      String within = before == '"' ? jsonString(text, matcher.end()) : text;
      int from = before == '"' ? 0 : matcher.end();
      commands.add(words(within, from, before == '`'));
    }
    return commands;
  }

  /** The rest of a JSON string, as it reads without escapes. */
  private static String jsonString(String text, int from) {
    Matcher rest = JSON_STRING.matcher(text).region(from, text.length());
    if (!rest.lookingAt()) return text.substring(from);
    return JsonMapper.shared().readValue('"' + rest.group(1) + '"', String.class);
  }

  private static List<String> words(String text, int from, boolean code) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean begun = false;
    int quoted = 0;
    char quote = 0;
    int i = from;
    for (; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
          quoted = word.length();
        } else word.append(c);
      } else if (c == '\'' || c == '"') {
        quote = c;
        begun = true;
      } else if (c == '\\' && i + 1 < text.length() && text.charAt(i + 1) == '\'') {
        word.append(text.charAt(++i));
      } else if (c == '\\' && text.startsWith("\n", i + 1)) {
        i++;
      } else if (c == '\n' || c == '`') {
        break;
      } else if (c == ' ') {
        if (begun && !add(words, word.toString(), code || quoted == word.length())) return words;
        begun = false;
        quoted = 0;
        word.setLength(0);
        if (!code && text.startsWith("  ", i)) return words;
      } else {
        begun = true;
        word.append(c);
      }
    }
    if (begun) add(words, word.toString(), code || quoted == word.length());
    return words;
  }

  /** Adds a word unless the command has ended; answers whether it goes on. */
  private static boolean add(List<String> words, String word, boolean code) {
    if (ENDS.contains(word) || word.startsWith(">")) return false;
    if (word.startsWith("<") && !isPlaceholder(word)) return false;
    if (!code && word.startsWith("(")) return false;
    if (!code && word.matches("(?s).*[;,:)]")) {
      words.add(word.replaceFirst("[;,:)]+$", ""));
      return false;
    }
    words.add(word);
    return true;
  }

  private static boolean isPlaceholder(String word) {
    return word.contains("…") || word.contains("...") || word.matches("(?s).*<\\w+>.*");
  }

  /** Parses as the program would, with what {@code ab} and {@code bisect} pass on. */
  static void parse(List<String> words) {
    take(words);
    trials(words).forEach(PrintedCommands::take);
  }

  /** The commands that {@code ab} and {@code bisect} start for each side. */
  static List<List<String>> trials(List<String> words) {
    ParseResult parsed = take(words);
    while (parsed.hasSubcommand()) parsed = parsed.subcommand();
    String command = parsed.commandSpec().name();
    int dashes = words.indexOf("--");
    if (!command.equals("ab") && !command.equals("bisect") || dashes < 0) return List.of();
    List<String> work = words.subList(dashes + 1, words.size());
    if (work.isEmpty()) return List.of();
    String first = work.getFirst();
    // A program's options are its own: bisect takes any program, ab one that java starts.
    if (!isWorkload(first) && (command.equals("bisect") || Path.of(first).endsWith("java"))) {
      return List.of();
    }
    return Stream.of("", parsed.matchedOptionValue("--a", ""), parsed.matchedOptionValue("--b", ""))
        .map(options -> workload(work, options))
        .toList();
  }

  private static boolean isWorkload(String word) {
    return Set.of("embed", "generate", "kernels", "train", "op").contains(word);
  }

  private static List<String> workload(List<String> work, String options) {
    List<String> words = new ArrayList<>(List.of("profile"));
    words.addAll(work);
    if (!options.isEmpty()) words.addAll(words(options, 0, true));
    WorkloadKind kind = ProfileCommand.kind(work.getFirst());
    boolean said =
        words.contains(kind.length()) || kind.lengths().stream().anyMatch(words::contains);
    if (!said) words.addAll(List.of(kind.length(), "1"));
    return words;
  }

  private static ParseResult take(List<String> words) {
    CommandLine line = commandLine();
    ParseResult parsed = line.parseArgs(AsProfile.orProfile(words.toArray(String[]::new)));
    // With --help among them, words that no command takes are no error.
    for (ParseResult each = parsed; each != null; ) {
      if (!each.unmatched().isEmpty()) {
        throw new IllegalArgumentException("unexpected " + each.unmatched());
      }
      each = each.hasSubcommand() ? each.subcommand() : null;
    }
    return parsed;
  }

  private static CommandLine commandLine() {
    return Main.commandLine(new Terminal(false, false, false, 100));
  }
}
