package dev.ridgeline.lab.roofline;

/** Something that keeps one core busy, piece by piece; one thread uses it at a time. */
interface Load {
  /** Does a piece, which takes well under a millisecond. */
  void run();

  /** Operations or bytes of a piece. */
  double amount();

  /** How many pieces a window has at least, so that it is not one lucky part of a buffer. */
  default int fewest() {
    return 1;
  }
}
