package dev.ridgeline.lab.process;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a fresh process of this program is started: the same jar and the same flags as this one's.
 *
 * @param java the binary
 * @param flags of the JVM
 * @param start what it runs: {@code -jar ridgeline.jar}
 * @param environment variables beside those of this process
 */
public record Program(
    Path java, List<String> flags, List<String> start, Map<String, String> environment) {
  public Program(Path java, List<String> flags, List<String> start) {
    this(java, flags, start, Map.of());
  }

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
  public Program withJar(Path jar) {
    return new Program(java, flags, List.of("-jar", jar.toString()), environment);
  }

  /** Without the cache of classes, which belongs to one jar, one JVM and one collector. */
  public Program withoutCache() {
    List<String> rest = new ArrayList<>(flags);
    rest.removeIf(flag -> beginsWithOne(flag, CACHE));
    return new Program(java, List.copyOf(rest), start, environment);
  }

  public Program onJava(Path home) {
    return new Program(home.resolve("bin/java"), flags, start, environment);
  }

  /** With more flags; a collector among them takes the place of ours. */
  public Program with(List<String> more) {
    List<String> all = new ArrayList<>(flags);
    if (more.stream().anyMatch(Program::choosesCollector)) {
      all.removeIf(Program::choosesCollector);
    }
    all.addAll(more);
    return new Program(java, List.copyOf(all), start, environment);
  }

  /** With these variables. */
  public Program in(Map<String, String> variables) {
    return new Program(java, flags, start, Map.copyOf(variables));
  }

  public static boolean choosesCollector(String flag) {
    return flag.matches("-XX:\\+Use\\w+GC");
  }

  /** When its jars were made, in one number. */
  public long built() {
    Path jar = Path.of(start.get(1));
    long built = jar.toFile().lastModified();
    File[] jars = jar.resolveSibling("lib").toFile().listFiles();
    // A sum, because they are listed in any order.
    if (jars != null) for (File each : jars) built += 31 * each.lastModified();
    return built;
  }

  /** What starts it with these words. */
  public List<String> command(List<String> words) {
    List<String> command = new ArrayList<>(before(environment));
    command.add(java.toString());
    command.addAll(flags);
    command.addAll(start);
    command.addAll(words);
    return command;
  }

  /** What sets variables for the command behind it, in the same process. */
  public static List<String> before(Map<String, String> variables) {
    List<String> words = new ArrayList<>();
    if (!variables.isEmpty()) words.add("/usr/bin/env");
    new TreeMap<>(variables).forEach((name, value) -> words.add(name + "=" + value));
    return words;
  }

  private static boolean beginsWithOne(String flag, List<String> beginnings) {
    return beginnings.stream().anyMatch(flag::startsWith);
  }
}
