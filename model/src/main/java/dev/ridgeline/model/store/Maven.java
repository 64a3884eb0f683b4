package dev.ridgeline.model.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jars by way of the Maven that is on this machine: out of its local repository, or by running it,
 * so that mirrors, proxies and passwords are those that the user has set up already.
 */
final class Maven {
  private static final String COPY = goal();
  private static final String LOG = "mvn.log";
  private static final Pattern CHOSEN_REPOSITORY =
      Pattern.compile("-Dmaven\\.repo\\.local=(\"[^\"]*\"|'[^']*'|\\S+)");

  private final Map<String, String> environment;
  private final Path home;

  /**
   * The Maven of an environment.
   *
   * @param home the user's folder
   */
  Maven(Map<String, String> environment, Path home) {
    this.environment = environment;
    this.home = home;
  }

  /** The jar of an artifact, fetched into a folder if it is not in the local repository. */
  Path jar(Artifact artifact, Path folder, Progress progress) throws IOException {
    Path local = artifact.in(localRepository());
    if (Files.isRegularFile(local)) return local;
    progress.step("fetching " + artifact.coordinates() + " with Maven");
    return fetch(artifact, folder);
  }

  /** Where Maven keeps what it once fetched; asked in the order in which Maven does. */
  Path localRepository() {
    for (String options : List.of("MAVEN_ARGS", "MAVEN_OPTS")) {
      Matcher chosen = CHOSEN_REPOSITORY.matcher(environment.getOrDefault(options, ""));
      if (chosen.find()) return Path.of(chosen.group(1).replaceAll("^[\"']|[\"']$", ""));
    }
    String property = System.getProperty("maven.repo.local");
    if (property != null) return Path.of(property);
    Path maven = home.resolve(".m2");
    String set = MavenSettings.localRepository(maven.resolve("settings.xml"), environment, home);
    return set == null ? maven.resolve("repository") : Path.of(set);
  }

  private Path fetch(Artifact artifact, Path folder) throws IOException {
    String asked = COPY + " -Dartifact=" + artifact.coordinates();
    Path program = program();
    if (program == null) {
      throw new StoreException(
          "%s is not in the local Maven repository (%s), and there is no mvn on the PATH to fetch it:"
                  .formatted(artifact.coordinates(), localRepository())
              + " install Maven, or put the jar there");
    }
    List<String> command =
        List.of(
            program.toString(),
            "-q",
            "-B",
            COPY,
            "-Dartifact=" + artifact.coordinates(),
            "-DoutputDirectory=" + folder);
    int code = run(command, folder);
    Path jar = folder.resolve(artifact.fileName());
    if (code == 0 && Files.isRegularFile(jar)) return jar;
    throw new StoreException(
        "mvn could not fetch %s: %s; to see more: mvn %s -DoutputDirectory=."
            .formatted(artifact.coordinates(), reason(folder.resolve(LOG), code), asked));
  }

  private int run(List<String> command, Path folder) throws IOException {
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile()) // no project is there that could be meant
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(LOG).toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    // The launcher may have found a JDK that neither JAVA_HOME nor the PATH knows.
    builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while mvn was running");
    } finally {
      process.destroy();
    }
  }

  private Path program() {
    for (String folder : environment.getOrDefault("PATH", "").split(":")) {
      try {
        Path program = Path.of(folder).resolve("mvn").toAbsolutePath();
        if (Files.isExecutable(program) && !Files.isDirectory(program)) return program;
      } catch (InvalidPathException _) {
        // Not a folder, then.
      }
    }
    return null;
  }

  /** Its version stands where those of the build do. */
  private static String goal() {
    Properties goals = new Properties();
    try (var in = Maven.class.getResourceAsStream("maven.properties")) {
      goals.load(in);
      return goals.getProperty("copy");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first thing that Maven called an error; what follows is advice about options. */
  private static String reason(Path log, int code) throws IOException {
    try (var lines = Files.lines(log)) {
      return lines
          .filter(line -> line.startsWith("[ERROR] "))
          .map(line -> line.substring("[ERROR] ".length()).strip())
          .filter(line -> !line.isEmpty())
          .findFirst()
          .orElse("it ended with " + code);
    }
  }
}
