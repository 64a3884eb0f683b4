package dev.ridgeline.lab.roofline;

/** What is done with memory. */
public enum Flow {
  READ,
  WRITE,
  /** What is read and what is written count both. */
  COPY
}
