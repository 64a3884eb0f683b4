package dev.ridgeline.cli.line;

/**
 * Whether a command could start: a rehearsed command does all that it always does, up to the moment
 * when it has found what it was told to work on. There it ends, before it computes, fetches, starts
 * or writes anything. Tests rehearse each command that a report prints.
 */
public final class Rehearsal {
  /** Rehearses what a whole process runs. */
  public static final String PROPERTY = "ridgeline.rehearsal";

  /** Rehearses what one thread runs. */
  public static final ScopedValue<Boolean> HERE = ScopedValue.newInstance();

  private Rehearsal() {}

  /** Where a command has found all that it needs; whether its work would go well is not asked. */
  public static void endsHere() {
    if (HERE.isBound() || Boolean.getBoolean(PROPERTY)) throw new Ended();
  }

  /** A rehearsal that went well. */
  public static final class Ended extends RuntimeException {
    private Ended() {
      super("rehearsed", null, false, false);
    }
  }
}
