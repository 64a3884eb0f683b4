package dev.ridgeline.train.loop;

import java.nio.file.Path;

/** Who is told how a training goes. Called on its thread; a step's call must allocate nothing. */
public interface Watcher {
  /** Nobody. */
  Watcher NOBODY = new Watcher() {};

  /** What is going to happen, in lines. */
  default void begins(Training training) {}

  /** A step was made; {@link Training} has its figures. */
  default void step(Training training) {}

  /** The loss on texts that are not trained on. */
  default void evaluated(long step, double loss) {}

  /** What the model wrote behind a prompt. */
  default void sampled(long step, String prompt, String text) {}

  /** A checkpoint was written. */
  default void kept(long step, Path file) {}

  /** Something that a user should know and that stops nothing. */
  default void warned(String line) {}
}
