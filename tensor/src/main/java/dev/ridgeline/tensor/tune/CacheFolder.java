package dev.ridgeline.tensor.tune;

import java.nio.file.Path;
import java.util.Map;

/** Where everything is that can be made again: models, and what was measured of this machine. */
public final class CacheFolder {
  private CacheFolder() {}

  /** Where it is when nobody chose a folder: as the XDG specification says. */
  public static Path usual(Map<String, String> environment) {
    String chosen = environment.getOrDefault("RIDGELINE_CACHE", "");
    return chosen.isBlank() ? ofUser(environment) : Path.of(chosen);
  }

  /** The same without a choice; the launcher's things are there, too. */
  public static Path ofUser(Map<String, String> environment) {
    String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
    // The specification: a relative one is to be ignored.
    if (caches.startsWith("/")) return Path.of(caches, "ridgeline");
    // The JVM asks the system who the user is; a shell, and the launcher, ask the environment.
    String home = environment.getOrDefault("HOME", "");
    String known = home.startsWith("/") ? home : System.getProperty("user.home");
    return Path.of(known, ".cache", "ridgeline");
  }
}
