package dev.ridgeline.cli.doctor;

/**
 * One thing the doctor looked at.
 *
 * @param key what programs know it by, {@code clock.nanoTime}; never renamed within a schema
 * @param label what people read
 * @param status how it is
 * @param value the plain figure or word for programs, or null
 * @param text the same for people
 * @param fix exactly what to do, or null
 */
record Check(String key, String label, Status status, Object value, String text, String fix) {

  /** How bad it is. */
  enum Status {
    /** As it should be. */
    OK("✓"),
    /** Neither good nor bad, or something optional that is not there. */
    NOTE("–"),
    /** Works, but figures suffer. */
    WARNING("!"),
    /** Does not work, or figures would be wrong. */
    PROBLEM("✗");

    final String mark;

    Status(String mark) {
      this.mark = mark;
    }
  }

  /** What is looked at, which is found in one state or another. */
  record Item(String key, String label) {
    Check ok(Object value, String text) {
      return found(Status.OK, value, text, null);
    }

    Check note(Object value, String text) {
      return found(Status.NOTE, value, text, null);
    }

    Check note(Object value, String text, String fix) {
      return found(Status.NOTE, value, text, fix);
    }

    Check warning(Object value, String text, String fix) {
      return found(Status.WARNING, value, text, fix);
    }

    Check problem(Object value, String text, String fix) {
      return found(Status.PROBLEM, value, text, fix);
    }

    private Check found(Status status, Object value, String text, String fix) {
      return new Check(key, label, status, value, text, fix);
    }
  }

  /** One decimal is all that a measurement of a fraction of a second is worth. */
  static double round(double value) {
    return Math.round(value * 10) / 10.0;
  }

  static Item of(String key, String label) {
    return new Item(key, label);
  }
}
