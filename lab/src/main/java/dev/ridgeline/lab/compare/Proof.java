package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.history.Work;
import dev.ridgeline.report.run.Again;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.List;

/** The command that would prove what two runs suggest. */
final class Proof {
  /** Characters that somebody may want to read: class paths have no end. */
  private static final int MOST = 2_000;

  private Proof() {}

  static String of(RunComparison comparison) {
    Run base = comparison.base().run();
    Run current = comparison.current().run();
    if (Again.work(base).isEmpty() || Again.work(current).isEmpty()) {
      return Again.line(programs(Work.start(base), Work.start(current)));
    }
    return Again.line(command(base, current));
  }

  /** Of programs only what starts both of them can be typed: else how to ask. */
  private static List<String> programs(String base, String current) {
    boolean known = !base.isEmpty() && !current.isEmpty() && !base.equals(current);
    return known && base.length() + current.length() < MOST
        ? List.of("ridgeline", "ab", "--a-command", base, "--b-command", current)
        : List.of("ridgeline", "ab", "--help");
  }

  private static List<String> command(Run base, Run current) {
    List<String> words = new ArrayList<>(List.of("ridgeline", "ab"));
    boolean same = base.revision().equals(current.revision());
    boolean known = !base.revision().isEmpty();
    if (known && (!same || base.revision().contains("+"))) {
      words.addAll(List.of("--a-rev", Again.revision(base)));
      // Sources that were changed are those that are here, as far as anybody knows.
      boolean named = !current.revision().isEmpty() && !current.revision().contains("+");
      if (!same && named) words.addAll(List.of("--b-rev", current.revision()));
    }
    List<String> a = Again.work(base);
    List<String> b = Again.work(current);
    if (a.equals(b) || !a.getFirst().equals(b.getFirst())) {
      words.add("--");
      words.addAll(a);
      return words;
    }
    side(words, "--a", a);
    side(words, "--b", b);
    words.addAll(List.of("--", a.getFirst()));
    return words;
  }

  private static void side(List<String> words, String option, List<String> work) {
    if (work.size() == 1) return;
    words.addAll(List.of(option, Again.line(work.subList(1, work.size()))));
  }
}
