package dev.ridgeline.cli.foreign;

import dev.ridgeline.cli.Problem;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which Java a command would start. */
final class JavaVersion {
  static final int OLDEST = 25;

  private static final Pattern VERSION = Pattern.compile("\"(?:1\\.)?(\\d+)[^\"]*\"");

  private JavaVersion() {}

  /** Refuses a java that is too old for the agent. */
  static void require(String java) {
    Path program = onPath(java);
    if (program == null) throw new Problem("no such program: " + java);
    String said = said(program);
    Matcher version = VERSION.matcher(said);
    if (!version.find()) return; // Not a java as we know it: it will say itself what is wrong.
    if (Integer.parseInt(version.group(1)) < OLDEST) {
      throw new Problem(
          "%s is Java %s: the agent needs %d or newer; name one: profile … -- /path/to/jdk/bin/java"
              .formatted(program, version.group().replace("\"", ""), OLDEST));
    }
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
