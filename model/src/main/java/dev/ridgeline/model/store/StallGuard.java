package dev.ridgeline.model.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;

/** Reads a stream that must not stop flowing: the client itself waits for a body for ever. */
final class StallGuard implements AutoCloseable {
  private final InputStream body;
  private final Duration stall;
  private final Thread watch;
  private volatile long lastArrival = System.nanoTime();
  private volatile boolean stalled;

  StallGuard(InputStream body, Duration stall) {
    this.body = body;
    this.stall = stall;
    watch = Thread.ofVirtual().name("stall guard").start(this::watch);
  }

  int read(byte[] buffer) throws IOException {
    try {
      int read = body.read(buffer);
      if (stalled) throw new IOException("closed");
      lastArrival = System.nanoTime();
      return read;
    } catch (IOException e) {
      if (!stalled) throw e;
      throw new HttpTimeoutException("nothing arrived for " + stall.toMillis() / 1e3 + " s");
    }
  }

  private void watch() {
    try {
      long left;
      while ((left = stall.toNanos() - (System.nanoTime() - lastArrival)) > 0) {
        Thread.sleep(Duration.ofNanos(left));
      }
      stalled = true;
      body.close(); // which wakes the reader
    } catch (InterruptedException | IOException _) {
      // Nothing is left to watch.
    }
  }

  @Override
  public void close() throws IOException {
    watch.interrupt();
    body.close();
  }
}
