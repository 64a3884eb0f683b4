package dev.ridgeline.cli.ab;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.profile.Revision;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.run.Interruption;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Revisions of a repository, each in a worktree of its own, which is gone afterwards. What the user
 * works with (files, index, branches) is left alone.
 */
public final class Worktrees implements AutoCloseable {
  /** How their folders are called, before the id of the process whose they are. */
  private static final String FOLDER = "ridgeline-revisions-";

  /** A file in such a folder that says where their repository is. */
  private static final String REPOSITORY = "repository";

  private final Child child;
  private final Path folder;
  private final Path root;
  private final Map<String, Path> trees = new HashMap<>();
  private final Map<String, Path> jars = new HashMap<>();
  private final Interruption interruption;

  /**
   * Of a repository.
   *
   * @param root a folder in it
   */
  public Worktrees(Child child, Path root) {
    this.child = child;
    this.root = root;
    removeLeftovers();
    try {
      folder = Files.createTempDirectory(FOLDER + ProcessHandle.current().pid() + "-");
    } catch (IOException e) {
      throw Problem.of(e);
    }
    interruption = Interruption.tidies(() -> remove(folder));
  }

  /** Of this program's own. */
  static Worktrees ofRidgeline(Child child) {
    Path root = Revision.root();
    if (root != null) return new Worktrees(child, root);
    throw new Problem("revisions can be compared only where ridgeline runs from its git checkout");
  }

  /** The full hash of a revision. */
  public String commit(String revision) throws Stopped {
    Child.Ended asked =
        git("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}");
    if (asked.code() == 0) return asked.out().strip();
    throw new Problem("no revision '%s' in %s".formatted(revision, root));
  }

  /** The files of a commit, as they were. */
  public Path tree(String commit) throws Stopped {
    Path known = trees.get(commit);
    if (known != null) return known;
    remember();
    Path tree = folder.resolve(commit.substring(0, 12));
    // A hook of the repository is not meant for worktrees that nobody asked for.
    Child.Ended added =
        git(
            "-c",
            "core.hooksPath=/dev/null",
            "worktree",
            "add",
            "--detach",
            tree.toString(),
            commit);
    if (added.code() != 0) throw new Problem("git worktree: " + last(added.err()));
    trees.put(commit, tree);
    return tree;
  }

  /** Writes down where the repository is: a worktree that was damaged does not know it. */
  private void remember() throws Stopped {
    Path file = folder.resolve(REPOSITORY);
    if (Files.exists(file)) return;
    Child.Ended asked = git("rev-parse", "--git-common-dir");
    if (asked.code() != 0) throw new Problem("git rev-parse: " + last(asked.err()));
    try {
      Files.writeString(file, root.resolve(asked.out().strip()).toRealPath().toString());
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  /**
   * Builds a commit by a command of the user's.
   *
   * @param line given to sh in its worktree
   */
  public void build(String commit, String line) throws Stopped {
    Child.Ended built =
        child.run(CommandTrial.shell(line), tree(commit), 0, folder.resolve("build"));
    if (built.code() == 0) return;
    String said = built.err().isBlank() ? built.out() : built.err();
    throw new Problem(
        "does not build, '%s' ended with code %d: %s".formatted(line, built.code(), last(said)));
  }

  /** The jar of a revision of this program. */
  public Path jar(String revision) throws Stopped {
    String commit = commit(revision);
    Path known = jars.get(commit);
    if (known != null) return known;
    Path tree = tree(commit);
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

  /** Asks git about the repository. */
  public Child.Ended git(String... words) throws Stopped {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(words));
    Path output = folder.resolve("git");
    Child.Ended ended = child.run(command, output);
    // Half of what it said would be a lie.
    if (output.toFile().length() <= Child.MOST_BYTES) return ended;
    throw new Problem("git %s: says more than can be read".formatted(words[0]));
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

  /** The last line that says something. */
  public static String last(String text) {
    return text.lines()
        .filter(line -> !line.isBlank())
        .reduce((a, b) -> b)
        .map(String::strip)
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

  /**
   * Not through the child, which may have been stopped. The repository may be another than the one
   * of this process.
   */
  private static void remove(Path folder) {
    try {
      Path file = folder.resolve(REPOSITORY);
      if (Files.exists(file)) {
        Path repository = Path.of(Files.readString(file));
        try (var trees = Files.newDirectoryStream(folder, Files::isDirectory)) {
          for (Path tree : trees) removeTree(tree, repository);
        }
      }
    } catch (IOException | DirectoryIteratorException | InvalidPathException _) {
      // What the repository still knows of them is gone with its next `git worktree prune`.
    }
    Runs.delete(folder);
  }

  /** By git, also where it was killed over it; then by hand, where git knows it no more. */
  private static void removeTree(Path tree, Path repository) throws IOException {
    String where = repository.toString();
    String link = tree.toRealPath().resolve(".git").toString();
    run("git", "--git-dir", where, "worktree", "remove", "-f", "-f", tree.toString());
    if (!Files.exists(tree) || !Files.isDirectory(repository.resolve("worktrees"))) return;
    try (var entries = Files.newDirectoryStream(repository.resolve("worktrees"))) {
      for (Path entry : entries) {
        Path file = entry.resolve("gitdir");
        if (Files.exists(file) && Files.readString(file).strip().equals(link)) Runs.delete(entry);
      }
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
