package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.document.Table.Row;
import dev.ridgeline.report.Quantity;
import java.util.List;
import java.util.function.Function;

/** Every trial as a table, in the order in which they ran. */
public final class TrialTable {
  private TrialTable() {}

  /**
   * The table.
   *
   * @param names what an arm is called
   * @param round what a round is called
   * @param metric whose values it has, or empty
   * @param measured what stands above them
   */
  public static <A> Table of(
      List<Trial<A>> trials,
      Function<A, String> names,
      String round,
      String metric,
      String measured) {
    return Table.of(
            "trials",
            List.of(
                "arm",
                round,
                "attempt",
                measured,
                "took",
                "CPU steal",
                "other processes",
                Table.RECORD),
            trials,
            trial ->
                Row.of(
                    trial.counts() ? Tone.PLAIN : Tone.ASIDE,
                    names.apply(trial.arm()),
                    trial.round() == 0 ? "pilot" : Integer.toString(trial.round()),
                    Integer.toString(trial.attempt()),
                    trial.failed() ? "failed" : value(trial.value(metric)),
                    Quantity.number(trial.seconds()) + " s",
                    trial.disturbance().stolen(),
                    trial.disturbance().taken(),
                    trial.directory()))
        .explained(
            "In the order in which they ran. Pale ones do not count: pilots, the more disturbed of"
                + " two attempts, and those of a %s that never became whole.".formatted(round));
  }

  private static String value(double value) {
    return Double.isNaN(value) ? "–" : Quantity.number(value);
  }
}
