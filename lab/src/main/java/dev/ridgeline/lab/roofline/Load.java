package dev.ridgeline.lab.roofline;

/** Something that keeps one core busy, piece by piece; one thread uses it at a time. */
interface Load {
  /** Does a piece, which takes well under a millisecond. */
  void run();

  /** Operations or bytes of a piece. */
  double amount();

  /** How many pieces are a whole, such as all of a buffer: a window has no fewer. */
  default int whole() {
    return 1;
  }
}
