package dev.ridgeline.lab.history.trend;

import dev.ridgeline.lab.chart.Ticks;

/**
 * The values that an axis shows, from the bottom to the top; what is beyond is drawn at its end.
 *
 * @param low value at the bottom
 * @param high value at the top
 */
record Scale(double low, double high) {
  /** Some room above and below, so that no dot lies on the frame. */
  private static final double ROOM = 0.05;

  /** The values of a trend. */
  static Scale of(Trend trend) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (Trend.Point point : trend.points()) {
      low = Math.min(low, point.value());
      high = Math.max(high, point.value());
    }
    double room = ROOM * (high - low);
    // Equal values lie in the middle.
    if (!(room > 0)) room = high == 0 ? 1 : Math.abs(high) / 10;
    return new Scale(low >= 0 && low - room < 0 ? 0 : low - room, high + room);
  }

  /** 0 at the bottom, 1 at the top. */
  double part(double value) {
    return Math.clamp((value - low) / (high - low), 0, 1);
  }

  double value(double part) {
    return low + part * (high - low);
  }

  /** Round values to draw lines at, from below to above. */
  Ticks ticks() {
    return Ticks.between(low, high, 5, 0);
  }

  /** A value with the digits that tell it from others here. */
  String label(double value) {
    return Ticks.label(value, Math.pow(10, Math.floor(Math.log10((high - low) / 10))));
  }
}
