package dev.ridgeline.report.run;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.file.ProfileJson;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A finished run on disk.
 *
 * @param path its directory
 */
public record RunDirectory(Path path) {
  /** The file that makes a directory a run. */
  static final String RUN = "run.json";

  static final String PROFILE = "profile.json";

  /** Its name: moment and kind. */
  public String name() {
    return path.toAbsolutePath().normalize().getFileName().toString();
  }

  /** What was run; a {@link FileException} says why it cannot be read. */
  public Run run() {
    return RunJson.read(path.resolve(RUN));
  }

  /** Whether a profile was recorded. */
  public boolean hasProfile() {
    return Files.exists(path.resolve(PROFILE));
  }

  /** What was recorded; a {@link FileException} says why it cannot be read. */
  public Profile profile() {
    return ProfileJson.read(path.resolve(PROFILE));
  }

  /** Adds or replaces a file, whole or not at all, and tells where it is. */
  public Path write(String file, WholeFile.Content content) {
    Path target = path.resolve(file);
    WholeFile.write(target, content);
    return target;
  }
}
