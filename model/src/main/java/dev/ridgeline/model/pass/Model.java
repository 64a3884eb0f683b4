package dev.ridgeline.model.pass;

import dev.ridgeline.model.shape.Shape;

/** A model on a device, whose weights all passes share. */
public interface Model extends AutoCloseable {
  /** What it is; ids of tokens are below its vocabulary. */
  Shape shape();

  /** What it took of its file. */
  Weights file();

  @Override
  default void close() {
    file().close();
  }
}
