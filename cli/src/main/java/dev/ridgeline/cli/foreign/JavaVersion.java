package dev.ridgeline.cli.foreign;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.profiler.file.OneLine;
import dev.ridgeline.report.run.Again;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which Java a command would start. */
final class JavaVersion {
  static final int OLDEST = 25;

  private static final int LONGEST = 500;

  private static final Pattern VERSION = Pattern.compile("\"(?:1\\.)?(\\d+)[^\"]*\"");

  /** The one that runs us, which is new enough. */
  static final Path OWN = Path.of(System.getProperty("java.home"), "bin", "java");

  private JavaVersion() {}

  /**
   * Refuses a java that is too old for the agent.
   *
   * @param typed the whole command line, without the launcher, that ends with the program's
   * @param program how many of these words are the program's, its java first
   */
  static void require(List<String> typed, int program) {
    int at = typed.size() - program;
    Path java = onPath(typed.get(at));
    if (java == null) throw new Problem("no such program: " + typed.get(at));
    String said = said(java);
    Matcher version = VERSION.matcher(said);
    if (!version.find()) return; // Not a java as we know it: it will say itself what is wrong.
    if (Integer.parseInt(version.group(1)) >= OLDEST) return;
    throw new Problem(
        "%s is Java %s, and the agent needs %d or newer: %s"
            .formatted(java, version.group().replace("\"", ""), OLDEST, remedy(typed, at)));
  }

  private static String remedy(List<String> typed, int at) {
    List<String> again = new ArrayList<>(typed);
    again.set(at, OWN.toString());
    String command = "./ridgeline " + Again.line(again);
    // What is longer would be cut, and a command that was cut is none.
    if (command.equals(OneLine.of(command)) && command.length() <= LONGEST) return command;
    return "type %s in place of %s".formatted(OWN, typed.get(at));
  }

  private static Path onPath(String name) {
    if (name.contains(File.separator)) return executable(Path.of(name));
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(File.pathSeparator)) {
      Path found = executable(Path.of(folder.isEmpty() ? "." : folder, name));
      if (found != null) return found;
    }
    return null;
  }

  private static Path executable(Path file) {
    return Files.isExecutable(file) && !Files.isDirectory(file) ? file : null;
  }

  /** A JDK describes itself in a file; only without one is it started. */
  private static String said(Path java) {
    try {
      Path home = java.toRealPath().getParent().getParent();
      Path release = home == null ? null : home.resolve("release");
      if (release != null && Files.isReadable(release)) {
        for (String line : Files.readAllLines(release)) {
          if (line.startsWith("JAVA_VERSION=")) return line;
        }
      }
      Process process =
          new ProcessBuilder(java.toString(), "-version").redirectErrorStream(true).start();
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }
}
