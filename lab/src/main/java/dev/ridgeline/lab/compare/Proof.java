package dev.ridgeline.lab.compare;

import dev.ridgeline.report.run.Again;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.List;

/** The command that would prove what two runs suggest. */
final class Proof {
  private Proof() {}

  static String of(RunComparison comparison) {
    Run base = comparison.base().run();
    Run current = comparison.current().run();
    if (Again.work(base).isEmpty() || Again.work(current).isEmpty()) {
      return "ridgeline ab --a-command OLD --b-command NEW"
          + " (replace OLD and NEW by the commands that start the two programs)";
    }
    return Again.line(command(base, current));
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
