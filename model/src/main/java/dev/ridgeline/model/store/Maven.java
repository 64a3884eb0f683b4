package dev.ridgeline.model.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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
  private static final Pattern CHOSEN_REPOSITORY =
      Pattern.compile("-Dmaven\\.repo\\.local=(\"[^\"]*\"|'[^']*'|\\S+)");

  private final Map<String, String> environment;
  private final Path home;
  private final Program mvn;

  /**
   * The Maven of an environment.
   *
   * @param home the user's folder
   */
  Maven(Map<String, String> environment, Path home) {
    this.environment = environment;
    this.home = home;
    this.mvn = new Program("mvn", environment);
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
    Path program = mvn.find();
    if (program == null) {
      throw new StoreException(
          "%s is not in the local Maven repository (%s), and there is no mvn on the PATH to fetch it:"
                  .formatted(artifact.coordinates(), localRepository())
              + " install Maven, or put the jar there");
    }
    int code =
        mvn.run(
            program,
            folder,
            Program.PATIENCE,
            List.of(
                "-q",
                "-B",
                COPY,
                "-Dartifact=" + artifact.coordinates(),
                "-DoutputDirectory=" + folder));
    Path jar = folder.resolve(artifact.fileName());
    if (code == 0 && Files.isRegularFile(jar)) return jar;
    throw new StoreException(
        "mvn could not fetch %s: %s; to see more: mvn %s -DoutputDirectory=."
            .formatted(artifact.coordinates(), reason(mvn.log(folder), code), asked));
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
    if (code == Program.TOO_LONG) return "it took too long";
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
