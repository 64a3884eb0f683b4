package dev.ridgeline.lab.answer;

import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.trial.Disturbance;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Trial;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Trials that nobody ran: a truth for each arm and metric, a drift for each round, noise. */
final class Simulated {
  private final Random random;
  private final double noise;
  private final Map<Arm, Map<String, Double>> truth = new LinkedHashMap<>();
  private final Map<String, Reading.Value> kinds = new LinkedHashMap<>();

  Simulated(long seed, double noise) {
    this.random = new Random(seed);
    this.noise = noise;
  }

  void is(Arm arm, String metric, String unit, Better better, double value) {
    truth.computeIfAbsent(arm, _ -> new LinkedHashMap<>()).put(metric, value);
    kinds.putIfAbsent(metric, new Reading.Value(metric, unit, better, 0));
  }

  Outcome outcome(int rounds) {
    List<Trial<Arm>> trials = new ArrayList<>();
    Map<String, Map<String, String>> plans = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      double drift = Math.exp(0.1 * random.nextGaussian());
      int place = 0;
      for (Arm arm : truth.keySet()) {
        plans.put(arm.name(), arm.parameters());
        // A process is fast or slow as a whole.
        double process = drift * Math.exp(noise * random.nextGaussian());
        List<Reading.Value> values = new ArrayList<>();
        truth
            .get(arm)
            .forEach(
                (name, value) -> {
                  Reading.Value kind = kinds.get(name);
                  double factor = kind.better() == Better.LOWER ? 1 / process : process;
                  double own = Math.exp(0.3 * noise * random.nextGaussian());
                  values.add(
                      new Reading.Value(name, kind.unit(), kind.better(), value * factor * own));
                });
        trials.add(
            new Trial<>(
                arm,
                round,
                ++place,
                1,
                true,
                1,
                new Disturbance(0, 0),
                new Measured(new Reading(values, Map.of(), Map.of(), ""), ""),
                ""));
      }
    }
    List<Arm> arms = List.copyOf(truth.keySet());
    return new Outcome(arms, arms.getFirst().name(), trials, plans);
  }
}
