package dev.ridgeline.train.config;

/** How activations are kept between forward and backward. */
public enum Storage {
  F32,
  BF16
}
