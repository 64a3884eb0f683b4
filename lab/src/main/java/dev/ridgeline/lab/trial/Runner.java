package dev.ridgeline.lab.trial;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs trials of arms, each in a process of its own. */
@FunctionalInterface
public interface Runner<A> {
  /**
   * Runs one to its end.
   *
   * @param number of the trial, from 1
   * @param seconds about how long to measure, once warm
   * @param mostSeconds it may take before it counts as hanging
   * @throws Stopped when the user does not want to wait any longer
   * @throws Failed when it cannot be measured
   */
  Measured run(A arm, int number, double seconds, double mostSeconds) throws Stopped;

  /**
   * What came of it.
   *
   * @param plan what its options came to; empty where nobody knows
   * @param directory its folder in the record, or empty
   */
  record Measured(Reading reading, Map<String, String> plan, String directory) {
    /** Of a trial that failed. */
    static final Measured NOTHING =
        new Measured(new Reading(List.of(), Map.of(), Map.of(), ""), "");

    public Measured {
      plan = Collections.unmodifiableMap(new LinkedHashMap<>(plan));
    }

    public Measured(Reading reading, String directory) {
      this(reading, Map.of(), directory);
    }

    /** The same without what came out, which is then not compared. */
    public Measured withoutOutput() {
      return new Measured(reading.withOutput(""), plan, directory);
    }
  }

  /** The session is to end with what it has. */
  final class Stopped extends Exception {
    private static final long serialVersionUID = 1;

    public Stopped() {
      super("stopped", null, false, false);
    }
  }

  /** A trial could not be measured; what was before it is as good as ever. */
  final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Failed(String whose, Throwable cause) {
      super("%s: %s".formatted(whose, cause.getMessage()), cause);
    }

    /** Why, without whose trial it was. */
    String why() {
      return getCause().getMessage();
    }
  }
}
