package dev.ridgeline.train.config;

import java.util.Locale;

/** How activations are kept between forward and backward. */
public enum Storage {
  F32,
  BF16;

  /** As users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
