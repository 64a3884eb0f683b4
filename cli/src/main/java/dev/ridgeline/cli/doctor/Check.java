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

  static Check ok(String key, String label, Object value, String text) {
    return new Check(key, label, Status.OK, value, text, null);
  }

  static Check note(String key, String label, Object value, String text) {
    return new Check(key, label, Status.NOTE, value, text, null);
  }

  static Check note(String key, String label, Object value, String text, String fix) {
    return new Check(key, label, Status.NOTE, value, text, fix);
  }

  static Check warning(String key, String label, Object value, String text, String fix) {
    return new Check(key, label, Status.WARNING, value, text, fix);
  }

  static Check problem(String key, String label, Object value, String text, String fix) {
    return new Check(key, label, Status.PROBLEM, value, text, fix);
  }
}
