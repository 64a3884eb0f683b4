package dev.ridgeline.lab.history;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What one start of a program has and the next has not: temporary files, process ids, ports, where
 * logs go. None of it is part of the work or of the JVM.
 */
final class Ephemeral {
  /**
   * Flags of the JVM that say where it writes, what it reads its own start from, or when it ends.
   */
  private static final Pattern BESIDE =
      Pattern.compile(
          "-Xlog(:.*)?|-Xloggc:.*|-Xshare:.*"
              + "|-XX:(AOT\\w*|SharedArchiveFile|ArchiveClassesAtExit|ErrorFile|LogFile|HeapDumpPath"
              + "|OnError|OnOutOfMemoryError|VMOptionsFile|Flags)=.*"
              + "|-XX:[+-](DisplayVMOutputTo\\w+|HeapDumpOnOutOfMemoryError|PrintCommandLineFlags"
              + "|CrashOnOutOfMemoryError|ExitOnOutOfMemoryError|AutoCreateSharedArchive)"
              + "|-Djava\\.io\\.tmpdir=.*|-Duser\\.dir=.*|-Dridgeline\\.stderr=.*",
          Pattern.DOTALL);

  /** Our agent, and the sampler that it asks for: what they were told is in the workload. */
  private static final Pattern RECORDER =
      Pattern.compile(
          "-javaagent:([^=]*[/\\\\])?ridgeline-agent[^/\\\\=]*\\.jar(=.*)?"
              + "|-agentpath:([^=]*[/\\\\])?libasyncProfiler\\.[^/\\\\=]+",
          Pattern.DOTALL);

  /** A path below a folder for temporary files; a comma or the like ends it. */
  private static final Pattern TEMPORARY =
      Pattern.compile(
          "(?<![\\w.-])(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm|run/user/\\d+)/"
              + "(?:[^\\s,;:=/]+/)*([^\\s,;:=/]*)");

  /** In a file's name, what chance or the process chose. */
  private static final Pattern DRAWN =
      Pattern.compile(
          "\\d{4,}|(?<![A-Za-z])[0-9a-f]{8,}(?![A-Za-z])|(?<=^tmp)[\\w]{8}$|(?<=^tmp\\.)\\w{6,}$");

  private static final Pattern PORT = Pattern.compile("(?i)(.*[^a-z])?(port|pid)");

  private static final Pattern LOCAL =
      Pattern.compile("(?<![\\w.])(localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|\\[::1\\]|\\*):\\d+");

  private static final String ANY = "*";

  private Ephemeral() {}

  /** The flags of a JVM that could change what a program does or takes. */
  static List<String> flags(List<String> flags) {
    return words(
        flags.stream()
            .filter(flag -> !BESIDE.matcher(flag).matches() && !RECORDER.matcher(flag).matches())
            .toList());
  }

  /** Arguments of a program, without what was only meant for one start of it. */
  static List<String> words(List<String> words) {
    List<String> kept = new ArrayList<>();
    String before = "";
    for (String word : words) {
      boolean value = before.startsWith("-") && !before.contains("=") && !word.startsWith("-");
      kept.add(value && PORT.matcher(before).matches() && isNumber(word) ? ANY : word(word));
      before = word;
    }
    return kept;
  }

  /** A jar's name without its folder and its version: two builds of it are the same program. */
  static String program(String main) {
    if (!main.endsWith(".jar")) return main;
    String file = main.substring(Math.max(main.lastIndexOf('/'), main.lastIndexOf('\\')) + 1);
    return file.replaceFirst("-\\d[\\w.+-]*(?=\\.jar$)", "");
  }

  private static String word(String word) {
    int equals = word.indexOf('=');
    if (equals > 0 && isNumber(word.substring(equals + 1))) {
      String key = word.substring(0, equals);
      if (PORT.matcher(key).matches()) return key + "=" + ANY;
    }
    String local = LOCAL.matcher(word).replaceAll("$1:" + ANY);
    return TEMPORARY.matcher(local).replaceAll(Ephemeral::file);
  }

  private static String file(MatchResult path) {
    return DRAWN.matcher(path.group(1)).replaceAll("#");
  }

  private static boolean isNumber(String text) {
    return text.matches("\\d+");
  }
}
