package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.verdict.Verdict;
import java.time.Instant;
import java.util.List;

/**
 * A finished search for the commit that changed something.
 *
 * @param setting what was searched
 * @param question what was asked
 * @param answer what came of it
 * @param why the reason, in words
 * @param ends the good end as A against the bad end as B
 * @param commits all that were suspected at first, the eldest first
 * @param steps commits that were tried, in that order
 * @param left those that are suspected still: one, when it was found
 * @param confirmation the commit's parent as A against the commit as B, or null
 * @param confidence that no step decided for the wrong end, at least
 * @param tookSeconds all trials together
 */
public record Bisection(
    Setting setting,
    Search.Question question,
    Answer answer,
    String why,
    Experiment ends,
    List<Commit> commits,
    List<Step> steps,
    List<Commit> left,
    Experiment confirmation,
    double confidence,
    double tookSeconds) {

  public Bisection {
    commits = List.copyOf(commits);
    steps = List.copyOf(steps);
    left = List.copyOf(left);
  }

  /**
   * What was searched.
   *
   * @param started when
   * @param command the command line, word by word
   * @param repository whose commits
   * @param measured what was run on each
   */
  public record Setting(Instant started, List<String> command, String repository, String measured) {
    public Setting {
      command = List.copyOf(command);
    }
  }

  /** How a search may end. */
  public enum Answer {
    /** The commit is known, and a fresh session against its parent agrees. */
    FOUND("found"),
    /** The search came to one commit, but a fresh session does not bear it out. */
    NOT_CONFIRMED("not confirmed"),
    /** Some commits are left that could not be told apart. */
    NARROWED("narrowed down"),
    /** The ends are the same, as far as it matters: there is nothing to search for. */
    NO_DIFFERENCE("no difference between the ends"),
    /** The trials do not suffice to say whether the ends differ. */
    UNPROVEN("no proven difference between the ends");

    private final String word;

    Answer(String word) {
      this.word = word;
    }

    /** As it is printed, and as scripts read it. */
    public String word() {
      return word;
    }
  }

  /** The one commit that is left; null where there are several. */
  public Commit commit() {
    return answer == Answer.FOUND || answer == Answer.NOT_CONFIRMED ? left.getFirst() : null;
  }

  /** What shows the change best: the confirmation, else the ends. */
  public Experiment evidence() {
    return confirmation != null && confirmation.deciding() != null ? confirmation : ends;
  }

  /** The change of the metric that {@link #evidence} shows. */
  public Interval change() {
    return evidence().decidingRatio();
  }

  /** {@code slower} or {@code faster}: what became of the good end. */
  public Verdict direction() {
    return ends.verdict();
  }
}
