package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A git repository whose commits are made in one go, without a work tree. Each holds a script
 * {@code measure} that prints a number with noise: the same numbers in each run of a test.
 */
final class MadeUpRepository {
  private static final String MEASURE =
      """
      #!/bin/sh
      read -r value <value
      [ "$value" = broken ] && { echo "it is broken" >&2; exit 3; }
      [ -f count ] && read -r count <count
      count=$((${count:-0} + 1))
      echo $count >count
      read -r place <place
      noise=$(((count * 7919 + place * 104729) % 61 - 30))
      echo "took $((value * (1000 + noise))) ticks"
      """;

  private final Path folder;
  private final StringBuilder commands = new StringBuilder();
  private final List<String> hashes = new ArrayList<>();
  private int commits;

  MadeUpRepository(Path folder) {
    this.folder = folder;
  }

  /** A commit whose script prints about a thousand times this, made from others. */
  int commit(String value, int... parents) {
    int mark = ++commits;
    String subject = "Change number " + (mark - 1);
    commands.append("commit refs/heads/main\nmark :%d\n".formatted(mark));
    commands.append(
        "committer A Tester <tester@localhost> %d +0000\n".formatted(1_000_000_000 + mark));
    data(subject);
    for (int i = 0; i < parents.length; i++) {
      commands.append("%s :%d\n".formatted(i == 0 ? "from" : "merge", parents[i]));
    }
    file("100755", "measure", MEASURE);
    file("100644", "value", value + "\n");
    file("100644", "place", mark + "\n");
    return mark;
  }

  private void file(String mode, String name, String text) {
    commands.append("M %s inline %s\n".formatted(mode, name));
    data(text);
  }

  private void data(String text) {
    commands.append("data %d\n%s\n".formatted(text.length(), text));
  }

  /** Makes it; the work tree holds the last commit. */
  void make() throws IOException {
    assumeTrue(found("git"), "git is not installed");
    git("init", "-q", "-b", "main");
    Path marks = folder.resolve(".git/marks");
    Process process =
        new ProcessBuilder("git", "fast-import", "--quiet", "--export-marks=" + marks)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(commands.toString().getBytes(StandardCharsets.US_ASCII));
    }
    try {
      assertThat(process.waitFor()).isZero();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    String[] byMark = new String[commits];
    for (String line : Files.readAllLines(marks)) {
      String[] words = line.substring(1).split(" ");
      byMark[Integer.parseInt(words[0]) - 1] = words[1];
    }
    hashes.addAll(List.of(byMark));
    git("reset", "-q", "--hard");
  }

  String hash(int mark) {
    return hashes.get(mark - 1);
  }

  Path folder() {
    return folder;
  }

  /** What a bisection may not touch: branches, HEAD, index, work tree, worktrees. */
  String state() throws IOException {
    return git("for-each-ref")
        + git("rev-parse", "HEAD")
        + git("status", "--porcelain", "--ignored")
        + git("worktree", "list")
        + Files.getLastModifiedTime(folder.resolve(".git/index"));
  }

  private String git(String... words) {
    List<String> command = new ArrayList<>(List.of("git", "--no-optional-locks"));
    command.addAll(List.of(words));
    Outcome outcome = Outcome.of(folder, Map.of(), command);
    assertThat(outcome.code()).as("%s: %s", command, outcome.err()).isZero();
    return outcome.out();
  }

  private static boolean found(String program) {
    for (String folder : System.getenv("PATH").split(":")) {
      if (Files.isExecutable(Path.of(folder, program))) return true;
    }
    return false;
  }
}
