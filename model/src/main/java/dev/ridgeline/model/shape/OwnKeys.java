package dev.ridgeline.model.shape;

/** Keys of what GGUF has none for. */
public final class OwnKeys {
  /** What a model was trained to see before a text: one key per task, whose name follows. */
  public static final String PROMPT = "ridgeline.prompt.";

  /** The lengths that a model's vectors may be cut to: an array of numbers. */
  public static final String DIMENSIONS = "ridgeline.dimensions";

  private OwnKeys() {}
}
