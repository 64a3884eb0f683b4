package dev.ridgeline.bench.peers;

import java.util.List;

/** An engine that is ready to do a work, again and again. One thread at a time. */
interface Engine extends AutoCloseable {
  /** Threads that each may use. */
  int THREADS = 2;

  /** Whose it is: {@code ONNX Runtime int8}. */
  String name();

  /** How it is set up: {@code 2 threads, batches of 8 by length}. */
  String setup();

  /** Does the work once. */
  Timing run();

  @Override
  void close();

  /** An engine that makes vectors of texts. */
  interface Embedding extends Engine {
    /** What it makes of the texts, in their order. */
    List<float[]> vectors();
  }

  /**
   * How long something took.
   *
   * @param units texts or tokens
   */
  record Timing(double units, long nanos) {
    Timing plus(Timing other) {
      return new Timing(units + other.units, nanos + other.nanos);
    }

    /** Units a second. */
    double rate() {
      return units * 1e9 / nanos;
    }
  }
}
