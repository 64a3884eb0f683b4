package dev.ridgeline.cli.ab;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a fresh process of this program is started: the same jar and the same flags as this one's.
 *
 * @param java the binary
 * @param flags of the JVM
 * @param start what it runs: {@code -jar ridgeline.jar}
 */
public record Program(Path java, List<String> flags, List<String> start) {
  private static final String MAIN = "dev.ridgeline.cli.Main";

  /** Said by the launcher of its own terminal, or by somebody who watches this process. */
  private static final List<String> OWN =
      List.of(
          "-Dridgeline.stderr=",
          "-Dridgeline.terminal=",
          "-Dridgeline.columns=",
          "-agentlib:",
          "-agentpath:",
          "-javaagent:",
          "-XX:AOTCacheOutput=");

  private static final List<String> CACHE = List.of("-XX:AOTCache=", "-Xlog:aot*=");

  /** This program. */
  public static Program here() {
    String path = System.getProperty("java.class.path");
    List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    flags.removeIf(flag -> beginsWithOne(flag, OWN));
    boolean jar = path.endsWith(".jar") && !path.contains(File.pathSeparator);
    return new Program(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        List.copyOf(flags),
        jar
            ? List.of("-jar", Path.of(path).toAbsolutePath().toString())
            : List.of("-cp", path, MAIN));
  }

  /** The jar of another revision of it. */
  Program withJar(Path jar) {
    return new Program(java, flags, List.of("-jar", jar.toString()));
  }

  /** Without the cache of classes, which belongs to one jar, one JVM and one collector. */
  Program withoutCache() {
    List<String> rest = new ArrayList<>(flags);
    rest.removeIf(flag -> beginsWithOne(flag, CACHE));
    return new Program(java, List.copyOf(rest), start);
  }

  Program onJava(Path home) {
    return new Program(home.resolve("bin/java"), flags, start);
  }

  /** With more flags; a collector among them takes the place of ours. */
  Program with(List<String> more) {
    List<String> all = new ArrayList<>(flags);
    if (more.stream().anyMatch(Program::choosesCollector)) {
      all.removeIf(Program::choosesCollector);
    }
    all.addAll(more);
    return new Program(java, List.copyOf(all), start);
  }

  static boolean choosesCollector(String flag) {
    return flag.matches("-XX:\\+Use\\w+GC");
  }

  /** When its jars were made, in one number. */
  long built() {
    Path jar = Path.of(start.get(1));
    long built = jar.toFile().lastModified();
    File[] jars = jar.resolveSibling("lib").toFile().listFiles();
    // A sum, because they are listed in any order.
    if (jars != null) for (File each : jars) built += 31 * each.lastModified();
    return built;
  }

  /** What starts it with these words. */
  public List<String> command(List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(flags);
    command.addAll(start);
    command.addAll(words);
    return command;
  }

  private static boolean beginsWithOne(String flag, List<String> beginnings) {
    return beginnings.stream().anyMatch(flag::startsWith);
  }
}
