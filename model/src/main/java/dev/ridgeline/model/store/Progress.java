package dev.ridgeline.model.store;

/** Who wants to see how far a model is on its way. */
public interface Progress {
  /** Nobody. */
  Progress SILENT = new Progress() {};

  /** Something begins: {@code fetching bge-small-en-v1.5}. */
  default void step(String what) {}

  /**
   * How far it is.
   *
   * @param total in bytes, or -1 when nobody knows
   */
  default void bytes(long done, long total) {}

  /** Something that the user should know and did not ask for, in a line. */
  default void note(String what) {}
}
