package dev.ridgeline.lab.trial;

import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.JsonWriter;

/**
 * What else went on while a trial ran, as parts of all the machine's processors.
 *
 * @param steal time that the hypervisor gave to others
 * @param others time that processes took which are none of ours
 */
public record Disturbance(double steal, double others) {
  /** Of a machine that does not tell. */
  public static final Disturbance UNKNOWN = new Disturbance(Double.NaN, Double.NaN);

  /** Beyond this a trial is disturbed; fixed before any is run. */
  public static final double MOST_STEAL = 0.02;

  /** The same for other processes. */
  public static final double MOST_OTHERS = 0.10;

  /** Whether the trial is to be repeated. */
  public boolean tooMuch() {
    return extent() > 1;
  }

  /** Among the fields of a trial. */
  public void write(JsonWriter json) {
    json.real("steal", steal).real("others", others).flag("disturbed", tooMuch());
  }

  /** Of the fields of a trial. */
  public static Disturbance read(JsonObject json) {
    return new Disturbance(json.real("steal", Double.NaN), json.real("others", Double.NaN));
  }

  /** The time that went to others, in words. */
  public String stolen() {
    return words(steal);
  }

  /** The time that other processes took, in words, and whether all was too much. */
  public String taken() {
    return words(others) + (tooMuch() ? ", disturbed" : "");
  }

  private static String words(double part) {
    return Double.isNaN(part) ? "–" : Quantity.percent(part);
  }

  /** How much it was of what may be, 0 where that is not known. */
  public double extent() {
    double extent = Math.max(steal / MOST_STEAL, others / MOST_OTHERS);
    return Double.isNaN(extent) ? 0 : extent;
  }
}
