package dev.ridgeline.cli.profile;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The source revision that this program was built from, where it runs from its own checkout. */
public final class Revision {
  private Revision() {}

  /** {@code 1a79e0c3b2d4+changes}, or empty when unknown. */
  public static String of() {
    Path root = root();
    return root == null ? "" : describe(root);
  }

  /** The checkout above the jar: told by its launcher, so that nobody else's is taken for it. */
  public static Path root() {
    try {
      var source = Revision.class.getProtectionDomain().getCodeSource();
      if (source == null) return null;
      Path path = Path.of(source.getLocation().toURI());
      for (Path folder = path; folder != null; folder = folder.getParent()) {
        if (Files.isExecutable(folder.resolve("ridgeline")) && Files.exists(folder.resolve(".git")))
          return folder;
      }
    } catch (URISyntaxException | IllegalArgumentException _) {
      // Not from a file: no checkout.
    }
    return null;
  }

  private static String describe(Path root) {
    try {
      Process git =
          new ProcessBuilder(
                  "git",
                  "-C",
                  root.toString(),
                  "describe",
                  "--always",
                  "--exclude=*",
                  "--abbrev=12",
                  "--dirty=+changes")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      git.getOutputStream().close();
      String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return git.waitFor(5, TimeUnit.SECONDS) && git.exitValue() == 0 ? said.strip() : "";
    } catch (IOException _) {
      return "";
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
