package dev.ridgeline.model.store;

import java.time.Duration;

/**
 * How long a download waits, and for what.
 *
 * @param connect until a server takes the connection
 * @param answer until it begins to answer
 * @param stall while nothing arrives
 * @param tries in a row that bring nothing new
 * @param pause before the second try; doubled before each further one
 * @param longestPause however long a server asks to be left alone
 */
record Patience(
    Duration connect,
    Duration answer,
    Duration stall,
    int tries,
    Duration pause,
    Duration longestPause) {
  static final Patience USUAL =
      new Patience(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          5,
          Duration.ofMillis(500),
          Duration.ofMinutes(1));

  /** How long to wait after so many tries in vain. */
  Duration pauseAfter(int vain) {
    Duration pause = this.pause.multipliedBy(1L << Math.min(vain - 1, 16));
    return pause.compareTo(longestPause) > 0 ? longestPause : pause;
  }
}
