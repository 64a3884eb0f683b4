package dev.ridgeline.train.loop;

import java.nio.file.Path;

/** Events of a training. Called on its thread; the call for a step must allocate nothing. */
public interface Watcher {
  /** Ignores all events. */
  Watcher NOBODY = new Watcher() {};

  /** Training starts. */
  default void begins(Training training) {}

  /** A step is done; {@link Training} has its figures. */
  default void step(Training training) {}

  /** The loss on texts that are not trained on. */
  default void evaluated(long step, double loss) {}

  /** What the model wrote after a prompt. */
  default void sampled(long step, String prompt, String text) {}

  /** A checkpoint was written. */
  default void kept(long step, Path file) {}

  /** A warning for the user; training continues. */
  default void warned(String line) {}
}
