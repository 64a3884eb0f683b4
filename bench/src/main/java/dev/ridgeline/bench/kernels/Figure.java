package dev.ridgeline.bench.kernels;

import dev.ridgeline.bench.Results;
import dev.ridgeline.bench.kernels.TimedProduct.Taken;
import dev.ridgeline.lab.stats.Median;
import java.util.Arrays;
import tools.jackson.core.JsonGenerator;

/**
 * What a product reached in each round, beside what the machine could do around it.
 *
 * @param what the product
 * @param kernels by which family
 * @param unit of rate and ceiling
 * @param seconds of one product, the median of a round
 * @param fastest the same, of the fastest in a round: on a busy machine, nearer to the kernel
 * @param rates a second
 * @param ceilings the mean of a reading before and one after
 * @param bar the part of the ceiling that is asked for, or 0
 */
record Figure(
    String what,
    String kernels,
    int cores,
    String unit,
    double[] seconds,
    double[] fastest,
    double[] rates,
    double[] ceilings,
    double bar) {

  Figure(String what, String kernels, int cores, String unit, int rounds, double bar) {
    this(
        what,
        kernels,
        cores,
        unit,
        new double[rounds],
        new double[rounds],
        new double[rounds],
        new double[rounds],
        bar);
  }

  void set(int round, Taken taken, double amount, double before, double after) {
    seconds[round] = taken.median();
    fastest[round] = taken.fastest();
    rates[round] = amount / taken.median();
    ceilings[round] = (before + after) / 2;
  }

  double[] parts() {
    double[] parts = new double[rates.length];
    for (int i = 0; i < parts.length; i++) parts[i] = rates[i] / ceilings[i];
    return parts;
  }

  double part() {
    return Median.of(parts());
  }

  /** The fastest product of all, beside the ceiling of its round. */
  private double best() {
    double best = 0;
    for (int i = 0; i < rates.length; i++) {
      best = Math.max(best, rates[i] * seconds[i] / fastest[i] / ceilings[i]);
    }
    return best;
  }

  /** {@code 95 % (93–96, best 97), ≥ 93 % reached}. */
  String told() {
    String told = percents(parts());
    if (bar == 0) return told;
    return told + ", ≥ %.0f %% %s".formatted(100 * bar, part() >= bar ? "reached" : "MISSED");
  }

  private String percents(double[] parts) {
    double low = Arrays.stream(parts).min().orElseThrow();
    double high = Arrays.stream(parts).max().orElseThrow();
    return "%.1f %% (%.0f–%.0f, best %.0f)"
        .formatted(100 * Median.of(parts), 100 * low, 100 * high, 100 * best());
  }

  void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("product", what);
    json.writeStringProperty("kernels", kernels);
    json.writeNumberProperty("cores", cores);
    json.writeStringProperty("unit", unit);
    json.writeNumberProperty("median", Median.of(rates));
    json.writeNumberProperty("part_of_ceiling", part());
    if (bar > 0) {
      json.writeNumberProperty("bar", bar);
      json.writeBooleanProperty("reached", part() >= bar);
    }
    Results.array("seconds", seconds, json);
    Results.array("fastest_seconds", fastest, json);
    Results.array("rates", rates, json);
    Results.array("ceilings", ceilings, json);
    json.writeEndObject();
  }
}
