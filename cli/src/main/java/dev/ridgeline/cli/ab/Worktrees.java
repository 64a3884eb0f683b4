package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.cli.profile.Revision;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.run.Interruption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Revisions of this program, each built in a worktree of its own, which is gone afterwards. */
final class Worktrees implements AutoCloseable {
  /** How their folders are called, before the id of the process whose they are. */
  private static final String FOLDER = "ridgeline-revisions-";

  private final Child child;
  private final Path folder;
  private final Path root;
  private final Map<String, Path> jars = new HashMap<>();
  private final Interruption interruption;

  Worktrees(Child child) {
    this.child = child;
    this.root = Revision.root();
    if (root == null) {
      throw new Problem(
          "revisions can be compared only where ridgeline runs from its git checkout");
    }
    removeLeftovers();
    try {
      folder = Files.createTempDirectory(FOLDER + ProcessHandle.current().pid() + "-");
    } catch (IOException e) {
      throw Problem.of(e);
    }
    interruption = Interruption.tidies(() -> remove(folder));
  }

  /** The jar of a revision. */
  Path jar(String revision) throws Stopped {
    Child.Ended asked = git("rev-parse", "--verify", "--quiet", revision + "^{commit}");
    if (asked.code() != 0) throw new Problem("no revision '%s' in %s".formatted(revision, root));
    String commit = asked.out().strip();
    Path known = jars.get(commit);
    if (known != null) return known;
    Path tree = folder.resolve(commit.substring(0, 12));
    Child.Ended added = git("worktree", "add", "--detach", tree.toString(), commit);
    if (added.code() != 0) throw new Problem("git worktree: " + last(added.err()));
    Path jar = tree.resolve("cli/target/ridgeline.jar");
    Child.Ended built =
        child.run(
            List.of(
                "env",
                "JAVA_HOME=" + System.getProperty("java.home"),
                "mvn",
                "-q",
                "-B",
                "-ntp",
                "-f",
                tree.resolve("pom.xml").toString(),
                "-pl",
                "cli",
                "-am",
                "package",
                "-Dmaven.test.skip=true",
                "-Dexec.skip=true"),
            folder.resolve("build"));
    if (built.code() != 0 || !Files.exists(jar)) {
      throw new Problem("revision %s does not build: %s".formatted(revision, firstError(built)));
    }
    jars.put(commit, jar);
    return jar;
  }

  private Child.Ended git(String... words) throws Stopped {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(words));
    return child.run(command, folder.resolve("git"));
  }

  /** The first that is no heading of others. */
  static String firstError(Child.Ended built) {
    return (built.out() + "\n" + built.err())
        .lines()
        .filter(line -> line.matches(".*(ERROR|FATAL).*"))
        .map(line -> line.replaceFirst(".*(ERROR|FATAL)\\S*\\s*", "").strip())
        .filter(line -> !line.isEmpty() && !line.endsWith(":"))
        .findFirst()
        .orElse("mvn ended with code " + built.code());
  }

  static String last(String text) {
    return text.lines()
        .filter(line -> !line.isBlank())
        .reduce((a, b) -> b)
        .orElse("it does not say why");
  }

  /** Those of processes that were killed. */
  private void removeLeftovers() {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    try (var all = Files.newDirectoryStream(temporary, FOLDER + "*")) {
      for (Path each : all) {
        String pid = each.getFileName().toString().substring(FOLDER.length()).split("-", 2)[0];
        boolean owned = pid.matches("\\d{1,18}");
        if (owned && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) remove(each);
      }
    } catch (IOException _) {
      // They lie there until somebody clears the folder for temporary files.
    }
  }

  /** Not through the child, which may have been stopped. */
  private void remove(Path folder) {
    try (var trees = Files.newDirectoryStream(folder)) {
      for (Path tree : trees) {
        if (!Files.isDirectory(tree)) Files.deleteIfExists(tree);
        else run("git", "-C", root.toString(), "worktree", "remove", "--force", tree.toString());
      }
      run("git", "-C", root.toString(), "worktree", "prune");
      Files.deleteIfExists(folder);
    } catch (IOException _) {
      // What cannot be removed lies in the folder for temporary files.
    }
  }

  private static void run(String... command) throws IOException {
    try {
      new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    interruption.close();
    remove(folder);
  }
}
