package dev.ridgeline.cli.bisect;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.bisect.Commit;
import dev.ridgeline.lab.bisect.Lineage;
import dev.ridgeline.lab.process.Child;
import dev.ridgeline.lab.process.ProcessException;
import dev.ridgeline.lab.process.Worktrees;
import dev.ridgeline.lab.trial.Runner.Stopped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The history of a git repository, only read. */
final class Repository implements Lineage {
  /** Between the fields of a commit: a character that nobody types. */
  private static final String FIELD = "\u001f";

  private static final String FORMAT = "--format=%H%x1f%an%x1f%aI%x1f%s";

  private final Worktrees trees;
  private final List<String> manner;
  private final Map<String, Commit> known = new HashMap<>();

  /**
   * @param firstParent whether merges count as one commit and what they brought in is left out
   */
  Repository(Worktrees trees, boolean firstParent) {
    this.trees = trees;
    this.manner = firstParent ? List.of("--first-parent") : List.of();
  }

  /** Where the repository of a folder keeps its history; worktrees of one share it. */
  static Path home(Child child, Path folder, Path output) throws Stopped {
    Child.Ended asked =
        child.run(List.of("git", "-C", folder.toString(), "rev-parse", "--git-common-dir"), output);
    if (asked.code() != 0) throw new Problem("%s is in no git repository".formatted(folder));
    try {
      return folder.resolve(asked.out().strip()).toRealPath();
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  /** The commit that a revision names. */
  Commit commit(String revision) throws Stopped {
    String hash = trees.commit(revision);
    if (!known.containsKey(hash)) read("-1", hash);
    return known.get(hash);
  }

  /** Refuses ends between which nothing lies. */
  void requireLine(Commit good, Commit bad) throws Stopped {
    if (good.equals(bad)) throw new Problem("--good and --bad are the same commit, " + good.name());
    if (trees.git("merge-base", "--is-ancestor", good.hash(), bad.hash()).code() == 0) return;
    Child.Ended base = trees.git("merge-base", good.hash(), bad.hash());
    String advice =
        base.code() == 0
            ? "; both come from " + base.out().strip().substring(0, 12) + ": take that for --good"
            : "";
    throw new Problem(
        "--good %s is no ancestor of --bad %s%s".formatted(good.name(), bad.name(), advice));
  }

  @Override
  public List<Commit> between(Commit good, Commit bad) throws Stopped {
    List<String> words = new ArrayList<>(List.of("--topo-order", "--reverse"));
    words.addAll(manner);
    words.addAll(List.of(bad.hash(), "^" + good.hash()));
    return read(words.toArray(String[]::new));
  }

  @Override
  public List<Commit> suspects(Commit bad, List<Commit> good) throws Stopped {
    List<String> words = new ArrayList<>(List.of("rev-list", "--bisect-all"));
    words.addAll(manner);
    words.add(bad.hash());
    good.forEach(each -> words.add("^" + each.hash()));
    List<Commit> suspects = new ArrayList<>();
    for (String line : ask(words).lines().toList()) {
      suspects.add(commit(line.split(" ", 2)[0]));
    }
    return suspects;
  }

  @Override
  public Commit parent(Commit commit) throws Stopped {
    return commit(commit.hash() + "^1");
  }

  private List<Commit> read(String... words) throws Stopped {
    List<String> command = new ArrayList<>(List.of("log", "--no-show-signature", FORMAT));
    command.addAll(List.of(words));
    List<Commit> commits = new ArrayList<>();
    for (String line : ask(command).lines().toList()) {
      String[] fields = line.split(FIELD, 4);
      if (fields.length < 4)
        throw new ProcessException("git log says what nobody understands: " + line);
      Commit commit = new Commit(fields[0], fields[1], fields[2], fields[3]);
      known.put(commit.hash(), commit);
      commits.add(commit);
    }
    return commits;
  }

  private String ask(List<String> words) throws Stopped {
    Child.Ended ended = trees.git(words.toArray(String[]::new));
    if (ended.code() == 0) return ended.out();
    throw new ProcessException(
        "git %s: %s".formatted(words.getFirst(), Worktrees.last(ended.err())));
  }
}
