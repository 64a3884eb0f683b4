package dev.ridgeline.bench;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Crossover;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyJson;
import dev.ridgeline.lab.trial.Reading;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Studies of strategies beside each other: did each find the changes where the others did? */
public final class Crossovers {
  private static final Pattern SPEED = Pattern.compile("calls of (\\d+): embedded");

  private Crossovers() {}

  /**
   * Ends with 1 where two do not agree to within one size, or an arm ran another's plan.
   *
   * @param args their {@code sweep.json}
   */
  public static void main(String[] args) {
    Map<String, List<Crossover>> found = new LinkedHashMap<>();
    boolean same = false;
    for (String file : args) {
      Outcome outcome = StudyJson.read(Path.of(file)).outcome();
      for (List<String> alike : outcome.samePlans()) {
        same = true;
        System.out.println(file + ": the same plan in " + String.join(" and ", alike));
      }
      of(outcome)
          .forEach((pair, it) -> found.computeIfAbsent(pair, _ -> new ArrayList<>()).add(it));
    }
    boolean agree = true;
    for (var each : found.entrySet()) {
      boolean all = true;
      for (Crossover one : each.getValue()) {
        for (Crossover other : each.getValue()) all &= one.agrees(other);
        System.out.printf("%-22s %s%n", each.getKey(), one.words());
      }
      System.out.printf("%-22s %s%n", "", all ? "agree to within a size" : "DO NOT AGREE");
      agree &= all;
    }
    System.exit(agree && !same && !found.isEmpty() ? 0 : 1);
  }

  private static Map<String, Crossover> of(Outcome outcome) {
    Map<Integer, String> metrics = new TreeMap<>();
    for (Reading.Value metric : outcome.metrics()) {
      Matcher speed = SPEED.matcher(metric.name());
      if (speed.matches()) metrics.put(Integer.parseInt(speed.group(1)), metric.name());
    }
    Map<String, Crossover> found = new LinkedHashMap<>();
    List<Arm> arms = outcome.arms();
    for (int a = 0; a < arms.size(); a++) {
      for (int b = a + 1; b < arms.size(); b++) {
        if (!workers(arms.get(a)).equals(workers(arms.get(b)))) continue;
        String one = arms.get(a).name();
        String other = arms.get(b).name();
        List<Interval> gains =
            metrics.values().stream()
                .map(metric -> outcome.gain(one, other, metric, Outcome.CONFIDENCE))
                .toList();
        found.put(
            one + ", " + other, Crossover.of(one, other, List.copyOf(metrics.keySet()), gains));
      }
    }
    return found;
  }

  private static String workers(Arm arm) {
    return arm.parameters().getOrDefault("workers", "");
  }
}
