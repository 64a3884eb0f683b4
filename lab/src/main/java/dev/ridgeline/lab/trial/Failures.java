package dev.ridgeline.lab.trial;

import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;

/**
 * Trials of a side that failed.
 *
 * @param side {@code A} or {@code B}
 * @param failed how many did
 * @param trials how many ran
 * @param why the last of them did
 */
record Failures(String side, int failed, int trials, String why) {

  /** Of the sides of which any failed. */
  static List<Failures> of(List<Trial<Arm>> trials) {
    List<Failures> all = new ArrayList<>();
    for (boolean b : new boolean[] {false, true}) {
      List<Trial<Arm>> side = trials.stream().filter(trial -> trial.arm().isB() == b).toList();
      List<Trial<Arm>> failed = side.stream().filter(Trial::failed).toList();
      if (failed.isEmpty()) continue;
      String why = failed.getLast().failure();
      all.add(new Failures(b ? "B" : "A", failed.size(), side.size(), why));
    }
    return all;
  }

  /** {@code B failed in 3 of 15 trials: 'x' ended with code 3}. */
  String words() {
    return "%s failed in %d of %s: %s".formatted(side, failed, Quantity.many(trials, "trial"), why);
  }
}
