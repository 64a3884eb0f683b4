package dev.ridgeline.lab.trial;

/** Runs a trial in a process of its own. */
@FunctionalInterface
public interface Runner {
  /**
   * Runs one to its end.
   *
   * @param number of the trial in the session, from 1
   * @param seconds about how long to measure, once warm
   * @throws Stopped when the user does not want to wait any longer
   * @throws Failed when it cannot be measured
   */
  Measured run(Arm arm, int number, double seconds) throws Stopped;

  /**
   * What came of it.
   *
   * @param directory its folder in the record, or empty
   */
  record Measured(Reading reading, String directory) {
    /** The same without what came out, which is then not compared. */
    public Measured withoutOutput() {
      return new Measured(reading.withOutput(""), directory);
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
