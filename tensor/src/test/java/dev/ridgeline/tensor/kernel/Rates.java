package dev.ridgeline.tensor.kernel;

/** Rates of an optimizer's step. */
public final class Rates {
  private Rates() {}

  /** In the order in which {@link AdamRates} has them. */
  public static AdamRates of(float... values) {
    var rates = new AdamRates();
    rates.factor = values[0];
    rates.beta1 = values[1];
    rates.rest1 = values[2];
    rates.beta2 = values[3];
    rates.rest2 = values[4];
    rates.keep = values[5];
    rates.rate = values[6];
    rates.root = values[7];
    rates.epsilon = values[8];
    return rates;
  }
}
